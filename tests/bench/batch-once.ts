/*
 * Signs a batch and ends; batch.ts runs it on one core. Arguments: a folder, the number of documents, and the
 * longest time for signing in milliseconds. Prints a `BatchCost` as JSON.
 */
import { sign } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { DocumentId } from '#server/domain/ids.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'
import { openBatchOffice } from './batch-office.ts'
import { openPeers, type Peer } from './batch-peers.ts'
import { writeScannedPdf } from './large-pdf.ts'

/** Milliseconds by the clock and of the processor, for how many documents. */
export type Spent = { time: number; processor: number; documents: number }
export type BatchCost = {
  /** SHA-256, one RSA signature and one durable write of the same bytes. */
  floor: Spent
  upload: Spent
  /** The session with the signature sheets of all its documents. */
  open: Spent
  /** Both halves of the signature with the verification, and everything that is stored. */
  sign: Spent
  peers: Record<string, Spent>
}

const none = (): Spent => ({ time: 0, processor: 0, documents: 0 })

/** Side of the smallest and the largest scanned page, in dots of one byte. */
const [SMALLEST, LARGEST] = [24, 1020]
/** Peers sign only one file of this many, to limit their share of the time. */
const PEERS_TAKE_ONE_OF = 5
const WARM_UP = 20
/** Reused for each file: garbage of this measurement would be collected in the time of others. */
const memory = Buffer.allocUnsafeSlow(2 << 20)

const [folder, count, patience] = process.argv.slice(2) as [string, string, string]
const place = (name: string) => path.join(folder, name)
const office = await openBatchOffice(place('office'))
const peers = await openPeers(office)
await signBatch('Calentamiento', WARM_UP, Number.POSITIVE_INFINITY)
const cost = await signBatch('Poder', Number(count), performance.now() + Number(patience))
await office.close()
console.log(JSON.stringify(cost))

/** In sessions as large as they may be; the floor and the peers take their turns with us, file by file. */
async function signBatch(title: string, documents: number, end: number): Promise<BatchCost> {
  const cost: BatchCost = { floor: none(), upload: none(), open: none(), sign: none(), peers: {} }
  for (let first = 0; first < documents && performance.now() < end; first += MOST_DOCUMENTS) {
    const last = Math.min(first + MOST_DOCUMENTS, documents)
    const waiting: { id: DocumentId; file: string }[] = []
    for (let index = first; index < last && performance.now() < end; index++) {
      const file = place(`${title}-${index}.pdf`)
      const side = SMALLEST + Math.floor(((LARGEST - SMALLEST) * index) / documents)
      writeScannedPdf(file, 1, side)
      waiting.push({ id: await storeUpload(cost, `${title} ${index}`, file), file })
    }
    await timed(cost.open, () => office.openSession(waiting.map(({ id }) => id)), waiting.length)
    for (const [index, { id, file }] of waiting.entries()) {
      const others = index % PEERS_TAKE_ONE_OF === 0 ? peers : {}
      if (performance.now() < end) await signInTurns(cost, id, file, others)
      rmSync(file)
    }
  }
  return cost
}

async function storeUpload(cost: BatchCost, title: string, file: string): Promise<DocumentId> {
  const bytes = readFile(file)
  await timed(cost.floor, () => floorOf(bytes))
  return await timed(cost.upload, () => office.upload(title, bytes))
}

async function signInTurns(
  cost: BatchCost,
  id: DocumentId,
  file: string,
  others: Record<string, Peer>,
): Promise<void> {
  const bytes = readFile(file)
  await timed(cost.floor, () => floorOf(bytes))
  await timed(cost.sign, () => office.sign(id))
  for (const [name, peer] of Object.entries(others)) {
    cost.peers[name] ??= none()
    await timed(cost.peers[name], () => peer(bytes))
  }
}

function readFile(file: string): Uint8Array {
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, memory, 0, memory.length, 0)
  closeSync(descriptor)
  return memory.subarray(0, length)
}

async function timed<T>(spent: Spent, work: () => T | Promise<T>, documents = 1): Promise<T> {
  const before = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  spent.time += performance.now() - start
  const { user, system } = process.cpuUsage(before)
  spent.processor += (user + system) / 1000
  spent.documents += documents
  return result
}

function floorOf(bytes: Uint8Array): void {
  sign('sha256', bytes, office.efirma.keyPair.privateKey)
  const descriptor = openSync(place('floor.pdf'), 'w')
  writeSync(descriptor, bytes)
  fsyncSync(descriptor)
  closeSync(descriptor)
}
