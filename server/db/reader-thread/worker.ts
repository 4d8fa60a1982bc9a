import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '#server/db/open-sqlite.ts'
import type { ReadAnswer, ReadTask } from './task.ts'

const db = openSqlite(String(workerData), 'read-only')

const answer = (message: ReadAnswer) => parentPort?.postMessage(message)

parentPort?.on('message', ({ sql, parameters }: ReadTask) => {
  const began = performance.now()
  try {
    const rows = db.prepare(sql).all(...parameters)
    answer({ kind: 'rows', rows, took: performance.now() - began })
  } catch (error) {
    answer({ kind: 'failed', message: String(error) })
  }
})

answer({ kind: 'ready' })
