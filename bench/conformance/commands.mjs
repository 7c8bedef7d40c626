// Programs that the bench runs, and the environment that they run in.
import { spawnSync } from 'node:child_process';

const LARGEST_OUTPUT = 1 << 28;

/** Runs a program to its end, whatever it says. */
export function ran(program, args, options = {}) {
  const started = process.hrtime.bigint();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'latin1',
    maxBuffer: LARGEST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (error) throw error;
  return { status, stdout, stderr, seconds: Number(process.hrtime.bigint() - started) / 1e9 };
}

/** Runs a program that has to succeed, and returns what it wrote. */
export function must(program, args, options = {}) {
  const { status, stdout, stderr } = ran(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${status}\n${(stdout + stderr).slice(-2000)}`);
  return stdout;
}

/** The environment of the caller without what would change a decision of the shim, an agent's markers included. */
export function plainEnvironment() {
  const left =
    /^(SIDECAR_|CLAUDE|CODEX|GEMINI|QWEN|OPENCODE|CRUSH|COPILOT|CURSOR|GOOSE|AI_AGENT|AGENT$|RIPGREP|GREP|XDG_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.test(name)));
}
