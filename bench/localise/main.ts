/** The localisation benchmark: arguments in, tables out. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOut } from './checkout.js';
import { type Instance, selectInstances } from './instances.js';
import { prepare } from './prepare.js';

const USAGE = `usage: node bench/localise/run.mjs DATA.jsonl --mirrors DIR --cache DIR [--instances N] [--part I/N]

  --mirrors DIR    git directories of the repositories, DIR/<owner>+<name>/repo
  --cache DIR      where prepared instances are kept between runs; outside of any repository
  --instances N    the first N instances of the rounds over the repositories (default 120)
  --part I/N       prepare only every N-th instance, from the I-th (0-based): one process per part
`;

const fileName = (id: string): string => id.replace(/[^A-Za-z0-9_.-]/g, '_');

function preparedPath(cache: string, instance: Instance): string {
  return join(cache, 'prepared', `${fileName(instance.id)}.json`);
}

async function prepareAll(instances: readonly Instance[], mirrors: string, cache: string): Promise<void> {
  mkdirSync(join(cache, 'prepared'), { recursive: true });
  for (const [i, instance] of instances.entries()) {
    const target = preparedPath(cache, instance);
    if (existsSync(target)) continue;
    const gitDir = join(mirrors, instance.snapshot.replace('/', '+'), 'repo');
    const tree = join(cache, 'trees', fileName(instance.id));
    const start = performance.now();
    try {
      checkOut(gitDir, instance.base_commit, tree);
      const prepared = await prepare(instance, gitDir, tree);
      writeFileSync(`${target}.part`, JSON.stringify(prepared));
      renameSync(`${target}.part`, target);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      process.stderr.write(`${i + 1}/${instances.length} ${instance.id} ${seconds} s\n`);
    } catch (error) {
      process.stderr.write(`${i + 1}/${instances.length} ${instance.id} failed: ${String(error).slice(0, 300)}\n`);
    } finally {
      rmSync(tree, { recursive: true, force: true });
    }
  }
}

/** Runs the benchmark; returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      mirrors: { type: 'string' },
      cache: { type: 'string' },
      instances: { type: 'string', default: '120' },
      part: { type: 'string', default: '0/1' },
      help: { type: 'boolean', default: false },
    },
  });
  const [data] = positionals;
  const { mirrors, cache } = values;
  if (values.help || !data || !mirrors || !cache) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const available = (snapshot: string): boolean => existsSync(join(mirrors, snapshot.replace('/', '+'), 'repo'));
  const instances = selectInstances(data, available).slice(0, Number(values.instances));
  const [part = 0, parts = 1] = values.part.split('/').map(Number);
  await prepareAll(
    instances.filter((_, i) => i % parts === part),
    mirrors,
    cache,
  );
  const ready = instances.filter((instance) => existsSync(preparedPath(cache, instance)));
  process.stdout.write(`${ready.length} of ${instances.length} instances prepared\n`);
  for (const instance of ready) JSON.parse(readFileSync(preparedPath(cache, instance), 'utf8'));
  return 0;
}
