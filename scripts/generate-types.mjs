// Writes a .generated.ts for each sidecar-schema/*.schema.json into the folder that uses it; with --check, fails where they differ.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

/** Folder of the generated types, where it is not src/sidecars. */
const folders = { manifest: 'src/recon/manifest' };

const check = process.argv.includes('--check');
let stale = 0;
for (const file of readdirSync('sidecar-schema').sort()) {
  const name = file.replace('.schema.json', '');
  const schema = JSON.parse(readFileSync(`sidecar-schema/${file}`, 'utf8'));
  delete schema.$id;
  const text = await compile(schema, schema.title, {
    bannerComment: `/* Generated from sidecar-schema/${file} by \`npm run build\`. Do not edit. */`,
    style: { singleQuote: true, printWidth: 120 },
    additionalProperties: false,
  });
  const target = `${folders[name] ?? 'src/sidecars'}/${name}.generated.ts`;
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  stale += 1;
  if (check) console.error(`${target} is not what ${file} says: run \`npm run build\` and commit it`);
  else writeFileSync(target, text);
}
if (check && stale > 0) process.exit(1);
