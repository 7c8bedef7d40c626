// An autoconf configure, which calls grep a hundred times and more: the same files with and without the launcher, and the
// time of both, in turns.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './commands.mjs';
import { decisions, environmentOf, index } from './ways.mjs';

/** It holds times and numbers of processes. */
const CHANGING = new Set(['config.log']);

function filesOf(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !CHANGING.has(entry.name))
      files.set(path.slice(folder.length + 1), readFileSync(path, 'latin1'));
  }
  return files;
}

/** Paths whose bytes differ, or that only one of them has. */
function differing(a, b) {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort();
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** @returns calls of grep, how many files were compared, those that differ, seconds without and with the launcher */
export function configured(sources, work, { name, pairs }) {
  const source = sources.source(name);
  const folder = join(work, 'configured');
  const place = { front: join(work, 'front'), real: '/usr/bin/grep', work };
  const once = (way, counted) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    index(folder, work);
    const env = { ...environmentOf(way, { ...place, counted }), FORCE_UNSAFE_CONFIGURE: '1', SHELL: '/bin/sh' };
    const started = process.hrtime.bigint();
    must('sh', [join(source, 'configure')], { cwd: folder, env });
    return { seconds: Number(process.hrtime.bigint() - started) / 1e9, files: filesOf(folder) };
  };
  const expected = once('real', false);
  const counted = once('shim', true);
  const { calls, text } = decisions('shim', work);
  const seconds = { real: [], shim: [] };
  for (let n = 0; n < pairs; n += 1) {
    for (const way of n % 2 === 0 ? ['real', 'shim'] : ['shim', 'real']) seconds[way].push(once(way, false).seconds);
  }
  return {
    calls,
    decisions: text,
    compared: expected.files.size,
    differing: differing(expected.files, counted.files),
    real: pairs > 0 ? median(seconds.real) : expected.seconds,
    shim: pairs > 0 ? median(seconds.shim) : counted.seconds,
  };
}
