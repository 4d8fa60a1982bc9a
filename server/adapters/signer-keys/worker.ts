import { parentPort, workerData } from 'node:worker_threads'
import { type OpeningTask, open } from './open.ts'

/* Opens one file. The thread ends with its answer, and what was in its memory with it. */
parentPort?.postMessage(await open(workerData as OpeningTask))
