/** The manifest for a reader: the same claims, one a line, evidence in brackets. */
import { PURPOSES } from '../ecosystems/claim.js';
import { printable } from '../printable.js';
import type { Manifest, NamedClaim } from './manifest.generated.js';

const percent = (share: number): string => share.toFixed(2);
const names = (list: readonly NamedClaim[]): string[] =>
  list.map(({ name, evidence }) => `  ${name} [${evidence.join(', ')}]`);

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

export function renderManifest(manifest: Manifest): string {
  const commands = PURPOSES.flatMap((purpose) =>
    (manifest.commands[purpose] ?? []).map(({ command, folder, alsoIn, runs, confidence, evidence }) => {
      const where = folder === undefined ? '' : ` (in ${folder}${alsoIn ? ` and ${alsoIn} more` : ''})`;
      return `  ${purpose}: ${command}${where}${runs === undefined ? '' : `  # ${runs}`} ${percent(confidence)} [${evidence.join(', ')}]`;
    }),
  );
  const { layout } = manifest;
  const roles = Object.entries(layout.roles).map(([role, n]) => `${n} ${role}`);
  const areas = (title: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`  ${title}: ${list.join(', ')}`];
  const lines = [
    ...section('Package managers', names(manifest.packageManagers)),
    ...section('Commands', commands),
    ...section('Test frameworks', names(manifest.testFrameworks)),
    ...section(
      'Entry points',
      manifest.entryPoints.map(
        ({ name, kind, target, path, evidence }) =>
          `  ${kind} ${name}: ${target}${path && path !== target ? ` (${path})` : ''} [${evidence}]`,
      ),
    ),
    ...section(
      'Components',
      manifest.components.map(
        ({ name, folder, kind, dependsOn, evidence }) =>
          `  ${name} (${kind}, ${folder})${dependsOn ? ` needs ${dependsOn.join(', ')}` : ''} [${evidence}]`,
      ),
    ),
    ...section(
      'Aggregators',
      manifest.aggregators.map(
        ({ name, folder, members, total, evidence }) =>
          `  ${name} in ${folder}: ${members.join(', ')}${total === undefined ? '' : `, ${total} in all`} [${evidence}]`,
      ),
    ),
    ...section('Layout', [
      `  ${layout.files} files: ${roles.join(', ')}`,
      ...layout.folders.map(({ path, files, role }) => `  ${path}/ ${files} files, mostly ${role}`),
      ...areas('tests', layout.testFolders),
      ...areas('generated', layout.generated),
      ...areas('vendored', layout.vendored),
    ]),
    ...section(
      'External packages',
      manifest.externalPackages.map(
        ({ name, scope, usedBy, evidence }) =>
          `  ${name} (${scope}${usedBy > 1 ? `, in ${usedBy} manifests` : ''}) [${evidence}]`,
      ),
    ),
    ...section(
      'Manifests',
      manifest.manifests.map(
        ({ path, ecosystem, problem }) => `  ${path} (${ecosystem})${problem ? `: ${problem}` : ''}`,
      ),
    ),
    ...section(
      'Notes',
      manifest.notes.map(({ text, evidence }) => `  ${text}${evidence ? ` [${evidence}]` : ''}`),
    ),
    ...section(
      'Cut short',
      manifest.cut.map(({ section: name, shown, total }) => `  ${name}: ${shown} of ${total}`),
    ),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
