import { expect, test } from 'vitest'
import { replaceAlertMail } from '#server/db/alerts/alert-preferences.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findUser } from '#server/db/people/users.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { UserId } from '#server/domain/ids.ts'
import { type Ceremony, withSignature } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import { endSigningSession } from '#server/steps/signing/end-signing-session.ts'
import { aboutRejection, aboutSigner, notifySigners } from '#server/steps/signing/notify-signers.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
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
import { storedCeremony } from '#tests/support/office/stored-ceremony.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

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
    // Others may read a mail: staff find the reason in Rúbrica.
    const told = mails.filter(({ text }) => text.includes(reason))
    expect(told.map(({ address }) => address)).toEqual(['benito@example.org'])
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

onEachSystem('end of a session', (current) => {
  const end = (
    ceremony: Ceremony,
    by: UserId | null,
    state: 'cancelled' | 'rejected' = 'cancelled',
  ) => {
    const { db, clock } = current()
    const ending = { reason, by, at: clock.now() }
    const how =
      state === 'cancelled'
        ? { state, byName: 'Ana Prado' }
        : { state, page: 'https://r.example/dashboard/signing/1' }
    return db.transaction((trx) => endSigningSession(trx, ceremony, { ...ending, ...how }))
  }
  const linksOf = async ({ id }: Signer) => {
    const links = current().db.selectFrom('signing_links').select('state')
    const rows = await links.where('signer_id', '=', id).execute()
    return rows.map(({ state }) => state).toSorted()
  }
  const copies = { user: 'en Rúbrica la copia', external: 'en el navegador en el que firmó' }

  test('reaches the author and each signer who was asked, but not the user who ended it', async () => {
    const { office, author, user, signers, ceremony } = await storedCeremony(current().db, {
      signers: [{}, {}, { email: 'clara@ejemplo.example', state: 'replaced' }],
    })
    expect(signers[2].state).toBe('replaced')
    await end(ceremony, author.id)
    const mails = await mailsOf(current(), office)
    expect(mails.map(({ address }) => address).toSorted()).toEqual(
      [user.email, 'benito@ejemplo.example'].toSorted(),
    )
    for (const { text } of mails) expect(text).not.toContain('copia')
  })

  test('by an external signer: reaches the author, the users and the other external signers', async () => {
    const { office, author, user, ceremony } = await storedCeremony(current().db, {
      signers: [{}, {}, { email: 'clara@ejemplo.example', state: 'rejected' }],
    })
    await end(ceremony, null, 'rejected')
    const addresses = (await mailsOf(current(), office)).map(({ address }) => address)
    expect(addresses.toSorted()).toEqual(
      [author.email, user.email, 'benito@ejemplo.example'].toSorted(),
    )
  })

  test('by a user who signs: does not reach them, and reaches the author', async () => {
    const { office, author, user, ceremony } = await storedCeremony(current().db)
    await end(ceremony, user.id, 'rejected')
    const addresses = (await mailsOf(current(), office)).map(({ address }) => address)
    expect(addresses.toSorted()).toEqual([author.email, 'benito@ejemplo.example'].toSorted())
  })

  test('staff who want no mail about alerts: learn of a cancellation, and find a rejection in Rúbrica', async () => {
    const { db, clock } = current()
    for (const [state, number, isMailed] of [
      ['cancelled', 61, true],
      ['rejected', 62, false],
    ] as const) {
      const { office, author, user, ceremony } = await storedCeremony(db, { office: { number } })
      await db.transaction((trx) => replaceAlertMail(trx, user.id, 'none', clock.now()))
      await end(ceremony, author.id, state)
      const addresses = (await mailsOf(current(), office)).map(({ address }) => address)
      expect([state, addresses.includes(user.email)]).toEqual([state, isMailed])
      expect(addresses).toContain('benito@ejemplo.example')
    }
  })

  test('those who signed learn where their copy is, and their link stays; other links and mails are over', async () => {
    const email = { email: 'clara@ejemplo.example' }
    const stored = await storedCeremony(current().db, { signers: [{}, {}, email] })
    const { office, author, user, document, signers } = stored
    const { db, clock } = current()
    const at = clock.now()
    await db.transaction(async (trx) => {
      await notifySigners(trx, current(), stored.ceremony, signers, 'signing-turn', at)
      const { id: officeId } = office
      await queueMails(
        trx,
        [aboutSigner(signers[1]), aboutRejection(signers[2])].map((about) => ({
          ...{ officeId, about, at, to: { name: 'Clara Vega', address: author.email } },
          facts: { kind: 'alert', title: 'Aviso', text: 'Aviso' },
        })),
      )
    })
    const ceremony = [signers[0], signers[1]].reduce(
      (signed, { id }) => withSignature(signed, document.id, id),
      stored.ceremony,
    )
    await end(ceremony, author.id)
    expect(await Promise.all(signers.map(linksOf))).toEqual([[], ['open'], ['revoked']])
    const mails = await mailsOf(current(), office)
    const waiting = mails.filter(({ state }) => state === 'waiting')
    expect(waiting.map(({ kind }) => kind)).toEqual(Array(3).fill('signing-cancelled'))
    const textTo = (address: string) => waiting.find((mail) => mail.address === address)?.text
    expect(textTo(user.email)).toContain(copies.user)
    expect(textTo('benito@ejemplo.example')).toContain(copies.external)
    expect(textTo('clara@ejemplo.example')).not.toContain('copia')
  })

  test('resolves the alert that the session is late', async () => {
    const { office, author, ceremony } = await storedCeremony(current().db, {
      session: { state: 'expired' },
    })
    const { db, clock } = current()
    const at = clock.now()
    const occasion = occasions.sessionLate(ceremony.session.id, at)
    await db.transaction((trx) =>
      raiseAlert(trx, {
        ...{ officeId: office.id, userId: author.id, kind: 'session-late', severity: 'warning' },
        ...{ occasion, at },
      }),
    )
    await end(ceremony, author.id)
    expect(await listAlertRows(current())).toMatchObject([
      { occasion, state: 'resolved', state_by: author.id },
    ])
  })

  test('a session that is over, or was ended meanwhile, does not end again', async () => {
    const { author, ceremony } = await storedCeremony(current().db)
    await end(ceremony, author.id)
    const { session } = ceremony
    const refused = { code: 'session-state' }
    await expect(end(ceremony, author.id)).rejects.toMatchObject(refused)
    const cancelled = { ...ceremony, session: { ...session, state: 'cancelled' as const } }
    await expect(end(cancelled, author.id)).rejects.toMatchObject(refused)
  })
})
