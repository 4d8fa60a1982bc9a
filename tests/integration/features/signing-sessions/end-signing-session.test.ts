import { expect, test } from 'vitest'
import { findDocument } from '#server/db/documents/documents.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import {
  aCeremony,
  anOpenSession,
  aParty,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { external } from '#tests/support/office/guests.ts'
import { mailsOf } from '#tests/support/office/mails.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const reason = 'Falta un dato' as Reason

onEachSigningSystem('session that ends early', (system) => {
  /** Two documents: the first party has signed the first one. A third signer is external, of the second step. */
  async function halfSigned() {
    const scene = await aCeremony(system(), [1, 2], 2)
    const [signed, open] = scene.drafts
    const [first, second] = scene.parties
    if (!signed || !open || !first || !second) throw new Error('a session of three')
    const guest = external({ email: 'benito@example.org', step: 3 })
    const asked = [first.asked, second.asked, guest]
    const session = await anOpenSession(system(), scene.person, sessionOf([signed, open], asked))
    await signInSession(system(), first, signed, 2)
    const emailOf = async ({ userId }: Person) => (await findUser(system().db, userId))?.email
    const ended = async () => {
      const mails = await mailsOf(system(), scene.office)
      return mails.filter(({ kind }) => kind.startsWith('signing-') && kind !== 'signing-turn')
    }
    return { ...scene, signed, open, first, second, session, emailOf, ended }
  }

  test('cancelled: mails the signers, not the one who cancelled; who signed learns where the copy is', async () => {
    const { person, first, second, session, emailOf, ended } = await halfSigned()
    await cancelSigningSession(system(), person, { signingSessionId: session.id, reason })
    const mails = await ended()
    expect(mails.map(({ kind }) => kind)).toEqual(mails.map(() => 'signing-cancelled'))
    const [signer, other] = [await emailOf(first.person), await emailOf(second.person)]
    const addresses = mails.map(({ address }) => address)
    expect(addresses.toSorted()).toEqual([signer, other, 'benito@example.org'].toSorted())
    for (const { text } of mails) expect(text).toContain(reason)
    const copies = mails.filter(({ text }) => /copia/i.test(text)).map(({ address }) => address)
    expect(copies).toEqual([signer])
  })

  test('cancelled: the mails about turns that still wait are withdrawn', async () => {
    const { person, session, office } = await halfSigned()
    await cancelSigningSession(system(), person, { signingSessionId: session.id, reason })
    const turns = (await mailsOf(system(), office)).filter(({ kind }) => kind === 'signing-turn')
    expect(turns.length).toBeGreaterThan(0)
    expect(turns.map(({ state }) => state)).toEqual(turns.map(() => 'discarded'))
  })

  test('cancelled: the document without a signature is a draft again, the other is cancelled', async () => {
    const { person, session, signed, open } = await halfSigned()
    const before = await findDocument(system().db, open.id)
    await cancelSigningSession(system(), person, { signingSessionId: session.id, reason })
    expect(await findDocument(system().db, signed.id)).toMatchObject({ state: 'cancelled' })
    const restored = await findDocument(system().db, open.id)
    expect(restored).toMatchObject({ state: 'draft', version: (before?.version ?? 0) + 1 })
  })

  test('rejected: mails the author and the others, not who rejected', async () => {
    const { person, first, second, session, emailOf, ended } = await halfSigned()
    const proven = { ...second.person, provenAt: system().clock.now() }
    await rejectSigning(system(), proven, { signingSessionId: session.id, reason })
    const mails = await ended()
    expect(mails.map(({ kind }) => kind)).toEqual(mails.map(() => 'signing-rejected'))
    const [author, signer] = [await emailOf(person), await emailOf(first.person)]
    const addresses = mails.map(({ address }) => address)
    expect(addresses.toSorted()).toEqual([author, signer, 'benito@example.org'].toSorted())
  })

  test('draft session: ends without a mail, and its documents stay drafts', async () => {
    const scene = await aCeremony(system(), [1])
    const [draft] = scene.drafts
    const other = await aParty(system(), scene, 'SOLJ900704TB2', 1)
    if (!draft) throw new Error('a session of one')
    const { id } = await createSigningSession(
      system(),
      scene.person,
      sessionOf([draft], [other.asked]),
    )
    const { version } = (await findDocument(system().db, draft.id)) ?? {}
    await cancelSigningSession(system(), scene.person, { signingSessionId: id, reason })
    expect(await mailsOf(system(), scene.office)).toEqual([])
    expect(await findDocument(system().db, draft.id)).toMatchObject({ state: 'draft', version })
  })
})
