/** The first file of a worker thread of extraction.ts: the rest is loaded with the compiled code of an earlier run. */
import { join } from 'node:path';
import { keepCompiledCode } from './code-cache.js';
import { CODE_FOLDER, cacheRoot } from './index-location.js';

const root = cacheRoot(process.env);
if (root !== undefined) keepCompiledCode(join(root, CODE_FOLDER), 'extraction');
void import('./extraction-loop.js');
