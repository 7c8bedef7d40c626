/** Writes files below a folder, creating each parent folder once. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class FolderWriter {
  private readonly made = new Set<string>();

  constructor(private readonly folder: string) {}

  write(path: string, content: string | Uint8Array): void {
    const full = join(this.folder, path);
    const parent = dirname(full);
    if (!this.made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      this.made.add(parent);
    }
    writeFileSync(full, content);
  }
}
