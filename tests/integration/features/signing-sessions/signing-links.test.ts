import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SignerId, SigningLinkId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import {
  renewSigningLink,
  revokeSigningLink,
} from '#server/features/signing-sessions/renew-signing-link.ts'
import { origin } from '#tests/support/builders.ts'
import { aGuestInvitation, external, opened } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('link on the screen of the office', (system) => {
  async function aSigner(email: string | null = null) {
    const { person, sessionId, signerIds } = await aGuestInvitation(system(), [external({ email })])
    const asked = { signingSessionId: sessionId, signerId: signerIds[0] as SignerId }
    const renew = (replaces: SigningLinkId | null) =>
      renewSigningLink(system(), person, { ...asked, replaces })
    const read = () => readSignerLink(system(), person, asked)
    return { person, asked, renew, read }
  }
  const madeLinks = async () =>
    (await system().log()).filter(({ action }) => action === 'signer.link-created').length
  const CHANGED = { code: 'signing-link-changed' }

  test('signing link: the first one is made at once, another one replaces the named one', async () => {
    const { renew, read } = await aSigner()
    const first = await renew(null)
    expect(await read()).toMatchObject({ isLive: true, link: { id: first.id } })
    const second = await renew(first.id)
    expect(await read()).toMatchObject({ isLive: true, link: { id: second.id } })
  })

  test('signing link: a form that is sent twice does not end the link that it made', async () => {
    const { renew, read } = await aSigner()
    const sent = await Promise.allSettled([renew(null), renew(null), renew(null)])
    const made = sent.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    expect(made).toHaveLength(1)
    for (const one of sent) if (one.status === 'rejected') expect(one.reason).toMatchObject(CHANGED)
    expect(await read()).toMatchObject({ isLive: true, link: { id: made[0]?.id, state: 'open' } })
    expect(await madeLinks()).toBe(1)
  })

  test('signing link: not replaced by a page that shows another one', async () => {
    const { renew, read } = await aSigner()
    const first = await renew(null)
    const second = await renew(first.id)
    for (const stale of [null, first.id, randomUUID() as SigningLinkId])
      await expect(renew(stale)).rejects.toMatchObject(CHANGED)
    expect(await read()).toMatchObject({ isLive: true, link: { id: second.id } })
  })

  test('signing link: says what became of the mail that brings it, and of no earlier one', async () => {
    const address = 'benito@ejemplo.example'
    const { renew, read } = await aSigner(address)
    const mailed = await read()
    expect(mailed.mail).toEqual({ state: 'waiting', address, at: mailed.link?.createdAt })
    await system().db.transaction((trx) =>
      trx.updateTable('outbox').set({ state: 'sent' }).where('to_address', '=', address).execute(),
    )
    expect((await read()).mail).toMatchObject({ state: 'sent', address })
    system().wait(minutes(1))
    await renew(mailed.link?.id ?? null)
    expect((await read()).mail).toBeUndefined()
  })

  test('signing link: that of a mail ends only if the user agreed to it', async () => {
    const { renew, read } = await aSigner('benito@ejemplo.example')
    await expect(renew(null)).rejects.toMatchObject(CHANGED)
    const { link } = await read()
    expect(link?.state).toBe('open')
    expect((await renew(link?.id ?? null)).id).not.toBe(link?.id)
  })

  test('signing link: one that is open in a browser stays so until it is replaced on purpose', async () => {
    const { renew } = await aSigner()
    const first = await renew(null)
    const token = await opened(system(), first.code)
    await expect(renew(null)).rejects.toMatchObject(CHANGED)
    expect(await resumeGuest(system(), origin, token)).toBeDefined()
    await renew(first.id)
    expect(await resumeGuest(system(), origin, token)).toBeUndefined()
  })

  test('signing link: a revoked one needs no consent to be followed by another', async () => {
    const { person, asked, renew } = await aSigner()
    const first = await renew(null)
    await revokeSigningLink(system(), person, asked)
    await expect(renew(first.id)).rejects.toMatchObject(CHANGED)
    expect((await renew(null)).id).not.toBe(first.id)
  })
})
