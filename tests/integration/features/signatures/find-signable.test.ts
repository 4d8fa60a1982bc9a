import { expect, test } from 'vitest'
import { insertVersions } from '#server/db/documents/document-versions.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { DocumentState } from '#server/domain/documents/document.ts'
import type { VersionCause } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import {
  findSeen,
  findSignable,
  listSignables,
  mustBeAt,
  mustNotBeOver,
  unlessTheyDid,
} from '#server/steps/signing/find-signable.ts'
import { aGuest, asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** How a version came about. A signature is one of the user, of the guest, or of another person of the office. */
type Step = VersionCause | 'signed by the user' | 'signed by the guest'

let offices = 1

/** A document with these versions, put into a session of a user and a guest. */
async function aHistory(
  { db }: TestSystem,
  steps: readonly Step[],
  state: DocumentState = 'signing',
  sessionState: SigningSessionState = 'open',
) {
  const office = await storedOffice(db, { number: offices++ })
  const author = await storedUser(db, office)
  const user = await storedUser(db, office, ['LAWYER'])
  const session = aSession(author, { state: sessionState })
  const own = aSigner(session, 1, { userId: user.id })
  const external = aSigner(session, 2)
  const document = aDocument(author, { state, version: steps.length })
  const versions = steps.map((step, index) => {
    const version = aVersion(document, index + 1)
    if (step === 'signed by the user')
      return { ...version, cause: 'signed' as const, by: user.id, signer: own.id }
    if (step === 'signed by the guest')
      return { ...version, cause: 'signed' as const, by: null, signer: external.id }
    return { ...version, cause: step }
  })
  const held = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
  await db.transaction(async (trx) => {
    await insertDocument(trx, document)
    await insertSigningSession(trx, session, [held])
    await insertSigners(trx, [own, external])
    await insertVersions(trx, versions)
  })
  return {
    documentId: document.id,
    author: asPerson(author),
    user: asPerson(user),
    guest: aGuest(office, { signingSessionId: session.id, signerId: external.id }),
  }
}

onEachSystem('version on the screen', (current) => {
  const seenIn = async (asked: Parameters<typeof findSignable>[1], seen: number) => {
    const { db } = current()
    return (await findSeen(db, await findSignable(db, asked), seen)).version
  }

  test('the current one is signed', async () => {
    const history = await aHistory(current(), ['uploaded', 'prepared'])
    expect(await seenIn(history, 2)).toBe(2)
  })

  test('one to which others of the session only added signatures is signed', async () => {
    const steps = ['uploaded', 'prepared', 'signed by the user', 'signed by the guest'] as const
    const history = await aHistory(current(), steps)
    expect(await seenIn(history, 2)).toBe(2)
    expect(await seenIn(history, 3)).toBe(3)
    expect(await outcomeOf(seenIn(history, 1))).toBe('stale-version')
  })

  test.each<{ name: string; steps: Step[] }>([
    { name: 'a signature outside of the session', steps: ['uploaded', 'prepared', 'signed'] },
    { name: 'a change between signatures', steps: ['uploaded', 'signed by the user', 'restored'] },
    {
      name: 'a change before a signature',
      steps: ['uploaded', 'signed by the user', 'archived', 'signed by the guest'],
    },
  ])('$name makes it another document', async ({ steps }) => {
    const history = await aHistory(current(), steps)
    expect(await outcomeOf(seenIn(history, 2))).toBe('stale-version')
  })

  test('one that never was is refused', async () => {
    const history = await aHistory(current(), ['uploaded', 'signed by the user'])
    expect(await outcomeOf(seenIn(history, 3))).toBe('stale-version')
    expect(await outcomeOf(seenIn(history, 0))).toBe('stale-version')
  })

  test('a document without a session takes no signature beside another', async () => {
    const history = await aHistory(
      current(),
      ['uploaded', 'signed by the user'],
      'draft',
      'cancelled',
    )
    expect(await outcomeOf(seenIn(history, 1))).toBe('stale-version')
  })

  test('a complete document takes none, a cancelled one neither', async () => {
    for (const [state, code] of [
      ['signed', 'document-final'],
      ['cancelled', 'wrong-state'],
    ] as const) {
      const history = await aHistory(current(), ['uploaded', 'signed'], state, 'completed')
      expect(await outcomeOf(seenIn(history, 2))).toBe(code)
      const { document } = await findSignable(current().db, history)
      expect(() => mustBeAt(document, 2)).toThrow(expect.objectContaining({ code }))
    }
  })

  test('when the signature is written, only the current version will do', async () => {
    const history = await aHistory(current(), ['uploaded', 'prepared', 'signed by the user'])
    const { document } = await findSignable(current().db, history)
    expect(() => mustBeAt(document, 3)).not.toThrow()
    for (const version of [2, 4])
      expect(() => mustBeAt(document, version)).toThrow(
        expect.objectContaining({ code: 'stale-version' }),
      )
  })

  test('documents come in the order in which they are asked for, or not at all', async () => {
    const { db } = current()
    const [one, two] = [
      await aHistory(current(), ['uploaded']),
      await aHistory(current(), ['uploaded', 'prepared']),
    ]
    const ids = [two.documentId, one.documentId]
    expect((await listSignables(db, ids)).map(({ document }) => document.id)).toEqual(ids)
    const unknown = aDocument(
      await storedUser(db, await storedOffice(db, { number: offices++ })),
    ).id
    expect(await outcomeOf(listSignables(db, [one.documentId, unknown]))).toBe('not-found')
  })
})

onEachSystem('page that is out of date', (current) => {
  const answer = async (
    actor: Actor,
    asked: Parameters<typeof findSignable>[1],
    seen: number,
  ): Promise<string> => {
    const { db } = current()
    return await outcomeOf(mustNotBeOver(db, actor, await findSignable(db, asked), seen))
  }

  test('a session that holds the document decides by itself', async () => {
    const history = await aHistory(current(), ['uploaded', 'prepared', 'signed by the user'])
    expect(await answer(history.user, history, 2)).toBe('done')
  })

  test('a person who signed since then learns that, and no other', async () => {
    const steps = ['uploaded', 'prepared', 'signed by the user', 'signed by the guest'] as const
    const history = await aHistory(current(), steps, 'signed', 'completed')
    const { user, guest, author } = history
    expect(await answer(user, history, 2)).toBe('already-signed')
    expect(await answer(user, history, 3)).toBe('done')
    expect(await answer(guest, history, 2)).toBe('already-signed')
    expect(await answer(guest, history, 4)).toBe('done')
    expect(await answer(author, history, 2)).toBe('done')
    expect(await answer(stranger(), history, 2)).toBe('done')
  })

  test('a person who only uploaded a version has not signed', async () => {
    const history = await aHistory(current(), ['uploaded', 'restored'], 'draft', 'cancelled')
    expect(await answer(history.author, history, 1)).toBe('done')
  })

  test.each(['cancelled', 'rejected'] as const)(
    'its signers learn of a session that was %s',
    async (state) => {
      const steps = ['uploaded', 'prepared', 'signed by the guest', 'restored'] as const
      const history = await aHistory(current(), steps, 'draft', state)
      const { user, guest, author } = history
      expect(await answer(user, history, 2)).toBe('session-over')
      expect(await answer(user, history, 3)).toBe('session-over')
      expect(await answer(guest, history, 3)).toBe('session-over')
      expect(await answer(author, history, 2)).toBe('done')
      const { guest: other } = await aHistory(current(), ['uploaded'])
      expect(await answer(other, history, 2)).toBe('done')
    },
  )

  test('a version from before the session says nothing about it', async () => {
    const history = await aHistory(
      current(),
      ['uploaded', 'prepared', 'restored'],
      'draft',
      'cancelled',
    )
    expect(await answer(history.user, history, 1)).toBe('done')
    expect(await answer(history.user, history, 9)).toBe('done')
  })

  test('signing a complete document: a person who signed it elsewhere learns that, another one that it is complete', async () => {
    const { db } = current()
    const steps = ['uploaded', 'prepared', 'signed by the user'] as const
    const history = await aHistory(current(), steps, 'signed', 'completed')
    const { documentId, user, author } = history
    const sign = (actor: Actor, signing: Promise<string>) =>
      outcomeOf(unlessTheyDid(db, actor, { documentId, version: 2 }, signing))
    const final = () => Promise.reject(new Problem('document-final', 'complete'))
    expect(await sign(user, final())).toBe('already-signed')
    expect(await sign(author, final())).toBe('document-final')
    const stale = Promise.reject(new Problem('stale-version', 'changed'))
    expect(await sign(user, stale)).toBe('stale-version')
    const bug = Object.assign(new Error('a bug'), { code: 'document-final' })
    await expect(sign(user, Promise.reject(bug))).rejects.toBe(bug)
    expect(await unlessTheyDid(db, user, { documentId, version: 2 }, Promise.resolve(7))).toBe(7)
  })

  test('a session that is complete is not over in this sense', async () => {
    const history = await aHistory(current(), ['uploaded', 'prepared'], 'signed', 'completed')
    expect(await answer(history.user, history, 2)).toBe('done')
  })
})
