/** Every ecosystem that the manifest reads. Adding one is a file and a line here. */
import { cargo } from './cargo.js';
import { ci } from './ci.js';
import type { Ecosystem } from './claim.js';
import { cmake } from './cmake.js';
import { docker } from './docker.js';
import { go } from './go.js';
import { gradle } from './gradle.js';
import { maven } from './maven.js';
import { npm } from './npm.js';
import { python } from './python.js';
import { scriptFolder } from './script-folder.js';
import { taskFiles } from './task-files.js';

export const ECOSYSTEMS: readonly Ecosystem[] = [
  npm,
  python,
  go,
  cargo,
  maven,
  gradle,
  cmake,
  taskFiles,
  scriptFolder,
  docker,
  ci,
];
