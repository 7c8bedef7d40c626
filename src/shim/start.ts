/** The first file of the evidence side: the rest is loaded with the compiled code of an earlier search. */
import { join } from 'node:path';
import { keepCompiledCode } from '../io/code-cache.js';
import { CODE_FOLDER, cacheRoot } from '../io/index-location.js';

const root = cacheRoot(process.env);
if (root !== undefined) keepCompiledCode(join(root, CODE_FOLDER), 'evidence');
void import('./evidence.js');
