/**
 * Writes many files on a thread of its own, while this one makes the next. The system's part in two thousand new files
 * is half a second to two.
 */
import { Worker } from 'node:worker_threads';
import { FolderWriter } from './folder-writer.js';

export interface WriterSetup {
  readonly folder: string;
  /** Characters sent and not yet written. */
  readonly waiting: Int32Array;
}

export interface Batch {
  readonly files: readonly (readonly [path: string, content: string])[];
  readonly characters: number;
}

/** A batch is sent when it has so many characters. */
const BATCH = 1 << 18;
/** With so many waiting, this thread writes as well, so that memory stays bounded. */
const MOST_WAITING = 1 << 26;

export class BackgroundWriter {
  private readonly own: FolderWriter;
  private readonly waiting = new Int32Array(new SharedArrayBuffer(4));
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private files: [path: string, content: string][] = [];
  private characters = 0;

  constructor(folder: string) {
    this.own = new FolderWriter(folder);
    const setup: WriterSetup = { folder, waiting: this.waiting };
    this.worker = new Worker(new URL('./writing-worker.js', import.meta.url), { workerData: setup });
    this.ended = new Promise((done, fail) => {
      let failure: Error | undefined;
      this.worker.on('message', ({ code, message }: { readonly code?: string; readonly message: string }) => {
        failure = Object.assign(new Error(message), { code });
      });
      this.worker.on('error', fail);
      this.worker.on('exit', () => (failure ? fail(failure) : done()));
    });
    // Whoever finishes hears of it; a build that fails before has its own error.
    this.ended.catch(() => undefined);
  }

  write(path: string, content: string): void {
    if (Atomics.load(this.waiting, 0) > MOST_WAITING) {
      this.own.write(path, content);
      return;
    }
    this.files.push([path, content]);
    this.characters += content.length;
    if (this.characters >= BATCH) this.send();
  }

  private send(): void {
    Atomics.add(this.waiting, 0, this.characters);
    this.worker.postMessage({ files: this.files, characters: this.characters } satisfies Batch);
    this.files = [];
    this.characters = 0;
  }

  /** Waits until all is written. Fails with the system's error where something could not be. */
  async finish(): Promise<void> {
    if (this.files.length > 0) this.send();
    this.worker.postMessage({ files: [], characters: 0 } satisfies Batch);
    await this.ended;
  }

  /** Gives up: what is not written yet is not wanted any more. */
  async abandon(): Promise<void> {
    await this.worker.terminate();
  }
}
