/** Worker thread of background-writer.ts: writes the files that it is sent, until it is sent none. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Batch, WriterSetup } from './background-writer.js';
import { FolderWriter } from './folder-writer.js';

const port = parentPort;
if (!port) throw new Error('writing-worker.js runs only as a worker thread');
const { folder, waiting } = workerData as WriterSetup;
const writer = new FolderWriter(folder);

port.on('message', ({ files, characters }: Batch) => {
  if (files.length === 0) {
    port.close();
    return;
  }
  try {
    for (const [path, content] of files) writer.write(path, content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    port.postMessage({ code, message });
    port.close();
  }
  Atomics.sub(waiting, 0, characters);
});
