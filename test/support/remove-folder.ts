import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Removes a folder in which a command that a hook or a search has started in the background may still write: its index,
 * or the compiled code that it keeps at its end.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}
