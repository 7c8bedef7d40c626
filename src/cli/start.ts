#!/usr/bin/env node
/** The first file of the command: everything else is loaded with the compiled code of an earlier run. */
import { join } from 'node:path';
import { keepCompiledCode } from '../io/code-cache.js';
import { CODE_FOLDER, cacheRoot } from '../io/index-location.js';

const root = cacheRoot(process.env);
const command = /^[a-z]+$/.exec(process.argv[2] ?? '')?.[0] ?? 'other';
if (root !== undefined) keepCompiledCode(join(root, CODE_FOLDER), command);
void import('./main.js').then(({ main }) => main());
