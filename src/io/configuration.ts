/** A repository's own settings: `sidecar.config.json`, or the `"sidecar"` key of package.json. JSON only, nothing is executed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SidecarError } from '../errors.js';
import type { Settings } from '../indexing/settings.js';

const FILE = 'sidecar.config.json';
const NAMES = ['neighbours', 'historyCommits', 'historyMinFiles', 'historyMaxFiles'] as const;

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  return JSON.parse(text);
}

/**
 * Settings that the repository gives, as far as they are valid.
 * @throws SidecarError where sidecar.config.json is broken or names a setting that does not exist
 */
export function readSettings(root: string): Partial<Settings> {
  let found: unknown;
  try {
    found = readJson(join(root, FILE));
  } catch (error) {
    throw new SidecarError(`cannot read ${FILE}`, (error as Error).message, 'correct the file or remove it');
  }
  if (found === undefined) {
    try {
      found = (readJson(join(root, 'package.json')) as { sidecar?: unknown } | undefined)?.sidecar;
    } catch {
      // A broken package.json is the repository's own affair.
    }
  }
  if (found === undefined || found === null) return {};
  if (typeof found !== 'object' || Array.isArray(found)) {
    throw new SidecarError(`cannot use ${FILE}`, 'it must be an object', 'correct the file or remove it');
  }
  const settings: { -readonly [name in keyof Settings]?: number } = {};
  for (const [name, value] of Object.entries(found)) {
    const known = NAMES.find((candidate) => candidate === name);
    if (!known || !Number.isInteger(value) || (value as number) < 0) {
      throw new SidecarError(
        `cannot use the setting "${name}" of ${FILE}`,
        known ? 'it must be a whole number' : `known settings are ${NAMES.join(', ')}`,
        'correct or remove it',
      );
    }
    settings[known] = value as number;
  }
  return settings;
}
