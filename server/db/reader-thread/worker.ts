import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '#server/db/open-sqlite.ts'
import type { ReadAnswer, ReadTask } from './task.ts'
import { clockWithoutWaits, ownRecord } from './wait-for-processor.ts'

const db = openSqlite(String(workerData), 'read-only')

const record = ownRecord()
const now = () => clockWithoutWaits(record)

const answer = (message: ReadAnswer) => parentPort?.postMessage(message)

parentPort?.on('message', ({ sql, parameters }: ReadTask) => {
  const began = now()
  try {
    const rows = db.prepare(sql).all(...parameters)
    answer({ kind: 'rows', rows, took: now() - began })
  } catch (error) {
    answer({ kind: 'failed', message: String(error) })
  }
})

answer({ kind: 'ready', record })
