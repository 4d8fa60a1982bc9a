import { expect, test } from 'vitest'
import { insertVersions, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocuments, insertDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { sessionOf } from '#tests/support/office/ceremonies.ts'
import { external } from '#tests/support/office/guests.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { anyPdf, onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** SQLite answers in the thread of the requests: all others wait while a transaction runs. */
const LONGEST_TRANSACTION_MS = 150

/** The system, and the processor time of its longest transaction so far. */
function timed(system: TestSystem) {
  const longest = { cpu: 0 }
  const cpuNow = () => {
    const { user, system: kernel } = process.threadCpuUsage()
    return (user + kernel) / 1000
  }
  const transaction: TestSystem['db']['transaction'] = async (work) => {
    const start = cpuNow()
    try {
      return await system.db.transaction(work)
    } finally {
      longest.cpu = Math.max(longest.cpu, cpuNow() - start)
    }
  }
  return { longest, system: { ...system, db: { ...system.db, transaction } } }
}

async function drafts(system: TestSystem) {
  const office = await storedOffice(system.db)
  const user = await storedUser(system.db, office, ['NOTARY'])
  const person = asPerson(user)
  const first = await aDraft(system, person, Buffer.from('%PDF-1.7'))
  const [version] = await listVersions(system.db, first.id)
  if (!version) throw new Error('a draft has a version')
  const others = Array.from({ length: MOST_DOCUMENTS - 1 }, (_, index) =>
    aDocument(user, { folio: folioOf(2026, index + 2), title: `Poder ${index + 2}` }),
  )
  await system.db.transaction(async (trx) => {
    for (const document of others) await insertDocument(trx, document)
    await insertVersions(
      trx,
      others.map(({ id }) => ({ ...version, documentId: id })),
    )
  })
  return { person, documents: [first, ...others] }
}

const statesOf = async (system: TestSystem, documents: readonly Document[]) => {
  const found = await findDocuments(
    system.db,
    documents.map(({ id }) => id),
  )
  return [...new Set([...found.values()].map(({ state, version }) => `${state} ${version}`))]
}

onEachSystem(
  'largest session',
  (current, dialect) => {
    test('500 documents: held and released in short transactions', async () => {
      const { longest, system } = timed(current())
      const { person, documents } = await drafts(current())
      const input = sessionOf(documents, [external()])
      const { id } = await createSigningSession(system, person, input)
      await openSigningSession(system, person, { signingSessionId: id })
      expect(await statesOf(current(), documents)).toEqual(['signing 2'])
      const opened = longest.cpu
      await cancelSigningSession(system, person, {
        signingSessionId: id,
        reason: 'Se canceló.' as Reason,
      })
      expect(await statesOf(current(), documents)).toEqual(['draft 3'])
      console.log(
        `${dialect}: opened ${opened.toFixed(0)} ms, longest ${longest.cpu.toFixed(0)} ms`,
      )
      if (dialect !== 'sqlite') return
      expect(longest.cpu).toBeLessThan(LONGEST_TRANSACTION_MS * (await timesSlower()))
    }, 60_000)
  },
  {
    pdf: {
      ...anyPdf,
      prepareSheet: async () => ({
        ...{ baseLength: 8, bytes: Buffer.from('sheet'), pages: 1, fieldNames: ['Firmante-1'] },
      }),
    },
  },
)
