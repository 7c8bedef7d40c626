// `npm run demo`: indexes this repository and shows three unmodified searches with the evidence appended.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const sidecar = `${root}dist/cli/main.js`;

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  if (result.error) throw result.error;
  return result;
}

if (!existsSync(sidecar) || !existsSync(`${root}dist/shim/evidence.cjs`)) {
  console.log('building...');
  const built = run('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

const environment = { ...process.env };
delete environment.SIDECAR_INDEX_DIR;
const indexed = run(process.execPath, [sidecar, 'build'], { env: environment, stdio: 'inherit' });
if (indexed.status !== 0) process.exit(indexed.status ?? 1);

const variables = JSON.parse(run(process.execPath, [sidecar, 'shellenv', '--json'], { env: environment }).stdout);
// An agent runs `bash -c`, reads a pipe and says in the environment that it is one. The deadline is generous here,
// since a demo also runs on machines that are busy installing.
const agent = {
  ...environment,
  ...variables,
  AI_AGENT: 'demo',
  SIDECAR_DEADLINE: '3000',
  SIDECAR_SESSION: `demo-${process.pid}`,
};
for (const search of [
  'rg -n confidenceOf src',
  "rg -n 'class TrackedView'",
  'grep -rn sidecarPath src --include=*.ts',
]) {
  console.log(`\n$ ${search}`);
  const found = run('bash', ['-c', search], { env: agent, stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(found.stdout);
}
console.log(`
You saw the real output of rg and grep, byte for byte, and after it what the dependency graph knows about the matches.
Next: run \`node ${sidecar.replace(`${process.cwd()}/`, '')} run -- <your agent>\` in your own repository (or \`npm link\`, then \`sidecar run -- <your agent>\`).`);
