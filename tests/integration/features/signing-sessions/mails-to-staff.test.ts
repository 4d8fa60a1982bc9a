import { expect, test } from 'vitest'
import { replaceAlertMail } from '#server/db/alerts/alert-preferences.ts'
import type { AlertMail } from '#server/domain/alerts/alert-mail.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { MailKind } from '#server/domain/mail/mail.ts'
import { after, days, hours } from '#server/domain/time.ts'
import { commitRejection } from '#server/features/rejections/commit-rejection.ts'
import { notifyCompletion } from '#server/features/signatures/notify-completion.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { notifySigners } from '#server/steps/signing/notify-signers.ts'
import { aGuest, asPerson, MORNING } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { mailsOf } from '#tests/support/office/mails.ts'
import { type StoredCeremony, storedCeremony } from '#tests/support/office/stored-ceremony.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** What no mail to staff may say: titles, parties, and the words of a person. */
const NAMES = /Compraventa|Poder de Ana|Benito|Clara|Prado|acordado|viernes/
const reason = 'Ana Prado no pagó el precio acordado' as never

const guestOf = ({ office, ceremony, signers }: StoredCeremony, place: 1 | 2) =>
  aGuest(office, { signerId: signers[place].id, signingSessionId: ceremony.session.id })

type Act = (system: TestSystem, scene: StoredCeremony) => Promise<unknown>

const turn: Act = (system, { ceremony, signers }) =>
  system.db.transaction((trx) =>
    notifySigners(trx, system, ceremony, signers, 'signing-turn', system.clock.now()),
  )

const remind: Act = (system, { ceremony, signers }) =>
  system.db.transaction((trx) =>
    notifySigners(trx, system, ceremony, signers, 'signing-reminder', system.clock.now()),
  )

const complete: Act = (system, { ceremony }) => {
  const signers = ceremony.signers.map((one) => ({ ...one, state: 'signed' as const }))
  const at = system.clock.now()
  return system.db.transaction((trx) => notifyCompletion(trx, system, { ...ceremony, signers }, at))
}

const cancel: Act = (system, { author, ceremony }) =>
  cancelSigningSession(system, asPerson(author), { signingSessionId: ceremony.session.id, reason })

/** By the external signer. */
const reject: Act = (system, scene) =>
  commitRejection(system, {
    ...{
      signingSessionId: scene.ceremony.session.id,
      reason,
      at: system.clock.now(),
      proof: 'mail-code',
    },
    actor: guestOf(scene, 1),
  })

const expire: Act = async (system) => {
  system.wait(days(2))
  await expireSigningSessions(system)
}

onEachSystem('mail about a session', (current) => {
  const stored = async () => {
    const { db, clock } = current()
    const session = {
      ...{ title: 'Compraventa Prado', message: 'Antes del viernes' },
      deadline: after(clock.now(), hours(1)),
    }
    return await storedCeremony(db, { session })
  }
  const mailsTo = async ({ office }: StoredCeremony, people: readonly User[]) => {
    const addresses = people.map(({ email }) => email as string)
    const mails = await mailsOf(current(), office)
    return mails.filter(({ address }) => addresses.includes(address))
  }
  const choose = ({ id }: User, mail: AlertMail) =>
    current().db.transaction((trx) => replaceAlertMail(trx, id, mail, MORNING))

  test.each<{ kind: MailKind; act: Act; mails: number }>([
    { kind: 'signing-turn', act: turn, mails: 1 },
    { kind: 'signing-reminder', act: remind, mails: 1 },
    { kind: 'signing-completed', act: complete, mails: 2 },
    { kind: 'signing-cancelled', act: cancel, mails: 1 },
    { kind: 'signing-rejected', act: reject, mails: 2 },
    { kind: 'signing-expired', act: expire, mails: 1 },
  ])(
    '$kind: tells staff folio and kind of the documents, and no name',
    async ({ kind, act, mails }) => {
      const scene = await stored()
      const { author, user, document } = scene
      await act(current(), scene)
      const found = await mailsTo(scene, [author, user])
      expect(found.map((mail) => mail.kind)).toEqual(Array(mails).fill(kind))
      for (const { subject, text } of found) {
        expect(`${subject}\n${text}`).not.toMatch(NAMES)
        expect(subject).toContain(document.folio)
        expect(text).toContain(`Documento: ${document.folio} (Acta)`)
      }
    },
  )

  test.each<{ choice: AlertMail; name: string; act: Act }>(
    (['daily', 'none'] as const).flatMap((choice) => [
      { choice, name: 'rejected', act: reject },
      { choice, name: 'expired', act: expire },
    ]),
  )(
    '$name: not mailed at once to staff who chose $choice; each has the alert',
    async ({ choice, act }) => {
      const scene = await stored()
      const { author, user } = scene
      await choose(author, choice)
      await choose(user, choice)
      await act(current(), scene)
      expect(await mailsTo(scene, [author, user])).toEqual([])
      const warned = (await listAlertRows(current())).map(({ user_id }) => user_id)
      const expected = act === reject ? [author.id, user.id] : [author.id]
      expect(warned.toSorted()).toEqual(expected.toSorted())
    },
  )

  test('rejected: tells an external signer the reason and what was to be signed, not which other one rejected', async () => {
    const scene = await stored()
    const { ceremony, office } = scene
    await commitRejection(current(), {
      ...{ signingSessionId: ceremony.session.id, reason, at: current().clock.now() },
      ...{ actor: guestOf(scene, 2), proof: 'mail-code' },
    })
    const mails = await mailsOf(current(), office)
    const letter = mails.find(({ address }) => address === 'benito@ejemplo.example')
    expect(letter?.text).toContain('Poder de Ana')
    expect(letter?.text).toContain(reason)
    expect(letter?.text).not.toMatch(/Clara|\/dashboard\//)
  })
})
