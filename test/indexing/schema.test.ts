/** Every file that an index publishes has the form that sidecar-schema/ promises. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FILES_FOLDER, INDEX_FILE } from '../../src/sidecars/layout.js';
import { packSidecar, unpackSidecar } from '../../src/sidecars/stored.js';
import { WorkTree } from '../support/work-tree.js';

let tree: WorkTree;
let generation: string;
let sidecars: string[];

const ajv = new Ajv2020.default({ allErrors: true, strict: true, allowUnionTypes: true, strictTuples: false });
const schemaOf = (name: string) => ajv.compile(JSON.parse(readFileSync(`sidecar-schema/${name}.schema.json`, 'utf8')));
const read = (path: string): unknown => JSON.parse(readFileSync(join(generation, path), 'utf8'));

beforeAll(async () => {
  tree = new WorkTree();
  cpSync('fixtures', tree.root, { recursive: true });
  tree.commit('all fixtures');
  await tree.build();
  generation = tree.generation();
  sidecars = readdirSync(join(generation, FILES_FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(generation.length + 1));
}, 300_000);

afterAll(() => tree.dispose());

it('index.json', () => {
  const valid = schemaOf('index');
  valid(read(INDEX_FILE));
  expect(valid.errors ?? []).toEqual([]);
});

it('every sidecar as it is stored, and in the plain form that show prints', () => {
  expect(sidecars.length).toBeGreaterThan(100);
  const [stored, plain] = [schemaOf('stored-sidecar'), schemaOf('sidecar')];
  for (const path of sidecars) {
    const sidecar = read(path);
    expect(stored(sidecar) ? [] : stored.errors, path).toEqual([]);
    const unpacked = unpackSidecar(sidecar);
    expect(plain(unpacked) ? [] : plain.errors, path).toEqual([]);
    expect(unpacked && packSidecar(unpacked), path).toEqual(sidecar);
  }
});
