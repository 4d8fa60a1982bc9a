import { createSecretKey } from 'node:crypto'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { createConstanciaProviders } from '#server/adapters/constancia-provider.ts'
import { createMemory } from '#server/adapters/memory.ts'
import { unpackPolicy } from '#server/adapters/pdf-work/policy-in-transit.ts'
import type { TaskPool } from '#server/adapters/pdf-work/task-pool.ts'
import * as tasks from '#server/adapters/pdf-work/worker.ts'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { createTimestampAuthorities } from '#server/adapters/timestamp-authorities.ts'
import { createVault } from '#server/adapters/vault.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { fileRecordsIn } from '#server/db/documents/stored-files.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { logKeysOf } from '#server/domain/audit/log-keys.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { archiveDocument } from '#server/features/archives/archive-document.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { StagedBlob } from '#server/ports/blobs.ts'
import type { FileRecords } from '#server/ports/file-records.ts'
import type { System } from '#server/system.ts'
import { testSealingKeys } from '#tests/support/keys/sealing-keys.ts'
import type { Act, Order } from './killed-process.ts'

/*
 * Performs one act of the real use cases on the given rows and files and ends at the given step, as in a power cut:
 * nothing is cleaned up or printed. A step is each moment before a write or an external call; reads and
 * computations in between leave nothing behind. Prints one line for each step that it reaches; the last line says
 * that the act was answered.
 */
process.once('message', async (order: Order) => {
  let passed = 0
  const step = (name: string) => {
    writeSync(1, `${name}\n`)
    if (passed++ === order.killAt) process.kill(process.pid, 'SIGKILL')
  }
  const system = mortal(await systemOf(order, step), step)
  await perform(system, order.act)
  step('answered')
  process.exit(0)
})

async function perform(system: System, act: Act): Promise<unknown> {
  switch (act.kind) {
    case 'open':
      return await openSigningSession(system, act.actor, act.input)
    case 'prepare':
      return await prepareSignature(system, act.actor, act.input)
    case 'complete':
      return await completeSignature(system, act.actor, act.input)
    case 'archive':
      return await archiveDocument(system, act.documentId)
    case 'constancias':
      return await issueConstancias(system)
  }
}

async function systemOf(
  { database, blobs, now, policy, evidence }: Order,
  step: Step,
): Promise<System> {
  const clock = { now: () => now }
  const vault = createVault(testSealingKeys())
  const unused = new Proxy({}, { get: (_, name) => () => fail(`${String(name)} is not needed`) })
  const db = openDatabase(database)
  return {
    db,
    eventQueue: unused as System['eventQueue'],
    clock,
    memory: createMemory(),
    vault,
    blobs: await createFileBlobs(blobs, { records: mortalRecords(db, step), vault, clock }),
    pdf: createPdfWork({ threads: 1, pool: ownThread }),
    reports: unused as never,
    trust: {
      policy: async (at) => ({ ...unpackPolicy(policy), at }),
      fingerprint: async () => 'test',
      builtIn: [],
    },
    revocation: { answersTo: async () => evidence, answersAbout: async () => evidence },
    timestamps: createTimestampAuthorities({ networks: outgoingNetworks([]), clock }),
    constancias: createConstanciaProviders({ networks: outgoingNetworks([]), vault }),
    checkpoints: unused as System['checkpoints'],
    loopDelay: unused as System['loopDelay'],
    disk: unused as System['disk'],
    publicPdf: unused as System['publicPdf'],
    publicRevocation: unused as System['publicRevocation'],
    passwords: unused as System['passwords'],
    webauthn: unused as System['webauthn'],
    signerKeys: unused as System['signerKeys'],
    mailer: null,
    mailers: unused as System['mailers'],
    tokens: null,
    settings: {
      publicOrigin: 'http://localhost:3000',
      isDemo: false,
      uploadLimit: 200 * 1024 * 1024,
      machine: 'rubrica-1',
      backupAge: null,
      csrfKey: createSecretKey(new Uint8Array(32).fill(7)),
      tokenKey: new Uint8Array(32).fill(8),
      networks: outgoingNetworks([]),
      logKeys: logKeysOf(new Uint8Array(32).fill(9)),
    },
  }
}

function fail(sentence: string): never {
  throw new Error(sentence)
}

type Step = (name: string) => void

/** A thread would be started for the few tasks of one act. */
const ownThread: TaskPool = {
  run: (task, { name }) => Reflect.apply(Reflect.get(tasks, name), undefined, [task]),
  meter: () => () => 0,
  close: async () => {},
}

function mortal(system: System, step: Step): System {
  const { db, blobs, timestamps, constancias } = system
  return {
    ...system,
    db: {
      ...db,
      transaction: (work) => {
        step('begin')
        return db.transaction(async (trx) => {
          const result = await work(mortalTransaction(trx, step))
          step('commit')
          return result
        })
      },
    },
    blobs: {
      ...blobs,
      stage: async (chunks, limit, options) => {
        step('stage')
        return mortalBlob(await blobs.stage(halfWay(chunks, step), limit, options), step)
      },
      append: async (base, tail) => {
        step('append')
        const appended = await blobs.append(base, tail)
        step('appended')
        return { ...appended, named: (sha256) => mortalBlob(appended.named(sha256), step) }
      },
    },
    timestamps: {
      stamp: (...asked) => {
        step('timestamp')
        return timestamps.stamp(...asked)
      },
    },
    constancias: {
      ...constancias,
      ask: async (...asked) => {
        step('ask')
        const answer = await constancias.ask(...asked)
        step('paid')
        return answer
      },
    },
  }
}

async function* halfWay(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  step: Step,
): AsyncGenerator<Uint8Array> {
  let isBegun = false
  for await (const chunk of chunks) {
    yield chunk
    if (!isBegun) step('half a file')
    isBegun = true
  }
}

const mortalBlob = (staged: StagedBlob, step: Step): StagedBlob => ({
  ...staged,
  async keep(officeId) {
    step('keep')
    await staged.keep(officeId)
  },
  async place(officeId) {
    step('place')
    return await staged.place(officeId)
  },
  async discard() {
    step('discard')
    await staged.discard()
  },
})

/** One step between a file's name and its row. */
function mortalRecords(db: Database, step: Step): FileRecords {
  const records = fileRecordsIn(db)
  return {
    ...records,
    add(file) {
      step('row of a file')
      return records.add(file)
    },
  }
}

const WRITES = ['insertInto', 'updateTable', 'deleteFrom']

/* One step between its first statement and the others. Methods see the transaction itself, whose fields are private. */
function mortalTransaction(trx: Transaction, step: Step): Transaction {
  let writes = 0
  return new Proxy(trx, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (WRITES.includes(String(name)) && ++writes === 2) step('half a transaction')
        return value.apply(target, args)
      }
    },
  })
}
