/** The localisation benchmark: arguments in, tables out. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SidecarReader } from '../../src/retrieval/request.js';
import { DiskReader } from '../../src/shim/reader.js';
import { checkOut } from './checkout.js';
import { evaluate } from './evaluate.js';
import { indexAtCommit } from './index-at-commit.js';
import { halfOf, type Instance, selectInstances } from './instances.js';
import { type Prepared, prepare } from './prepare.js';
import { preparedReader } from './prepared-reader.js';
import { type Evaluated, report } from './report.js';

const USAGE = `usage: node bench/localise/run.mjs DATA.jsonl --mirrors DIR --cache DIR [--instances N] [--part I/N]

  --mirrors DIR    git directories of the repositories, DIR/<owner>+<name>/repo
  --cache DIR      where prepared instances are kept between runs; outside of any repository
  --instances N    the first N instances of the rounds over the repositories (default 120)
  --cli FILE       build the index of each instance with this dist/cli/main.js; without it, ranking evidence only
  --indexed        evaluate the instances whose index is in the cache, build none
  --blocks FILE    write every block of the arm \`full\`
  --scores FILE    write all scores, one instance a line
  --largest FILES  build no index for trees of more text files
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

function readPrepared(cache: string, instance: Instance): Prepared {
  return JSON.parse(readFileSync(preparedPath(cache, instance), 'utf8')) as Prepared;
}

const indexPath = (cache: string, instance: Instance): string => join(cache, 'indexes', fileName(instance.id));

function indexAll(instances: readonly Instance[], mirrors: string, cache: string, cli: string, largest: number): void {
  mkdirSync(join(cache, 'indexes'), { recursive: true });
  for (const [i, instance] of instances.entries()) {
    const target = indexPath(cache, instance);
    if (existsSync(target) || !existsSync(preparedPath(cache, instance))) continue;
    if (Object.keys(readPrepared(cache, instance).roles).length > largest) continue;
    const name = instance.snapshot.replace('/', '+');
    const start = performance.now();
    let outcome = 'indexed';
    try {
      indexAtCommit(cli, join(mirrors, name, 'repo'), instance.base_commit, join(cache, 'work', name), target);
    } catch (error) {
      outcome = `not indexed: ${String(error).slice(0, 300)}`;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stderr.write(`${i + 1}/${instances.length} ${instance.id} ${outcome}, ${seconds} s\n`);
  }
}

/** The index where one is wanted and there, the prepared evidence where none is wanted. */
function readerOf(cache: string, instance: Instance, indexed: boolean): SidecarReader | undefined {
  if (!indexed) return preparedReader(readPrepared(cache, instance));
  return DiskReader.open(indexPath(cache, instance));
}

const scoresOf = ({ instance, evaluation }: Evaluated): unknown => ({
  id: instance.id,
  repo: instance.repo,
  half: halfOf(instance),
  ...evaluation,
});

/** Runs the benchmark; returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      mirrors: { type: 'string' },
      cache: { type: 'string' },
      instances: { type: 'string', default: '120' },
      cli: { type: 'string' },
      indexed: { type: 'boolean', default: false },
      blocks: { type: 'string' },
      scores: { type: 'string' },
      largest: { type: 'string', default: '100000' },
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
  const mine = instances.filter((_, i) => i % parts === part);
  if (!values.indexed) await prepareAll(mine, mirrors, cache);
  if (values.cli) indexAll(mine, mirrors, cache, values.cli, Number(values.largest));
  const ready = instances.filter((instance) => existsSync(preparedPath(cache, instance)));
  const rows: Evaluated[] = [];
  const blocks: string[] = [];
  for (const instance of ready) {
    const reader = readerOf(cache, instance, values.cli !== undefined || values.indexed);
    if (!reader) continue;
    const texts: string[] = [];
    const prepared = readPrepared(cache, instance);
    rows.push({ instance, evaluation: evaluate(instance, prepared, reader, texts) });
    texts.forEach((text, i) => {
      blocks.push(`${instance.id} ${prepared.searches[i]?.term}\n${text}`);
    });
  }
  process.stdout.write(report(rows));
  if (values.blocks) writeFileSync(values.blocks, blocks.join('\n'));
  if (values.scores) writeFileSync(values.scores, rows.map((row) => `${JSON.stringify(scoresOf(row))}\n`).join(''));
  return 0;
}
