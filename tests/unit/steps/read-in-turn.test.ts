import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { HEAVY_READS, ownerOf, readInTurn } from '#server/steps/documents/read-in-turn.ts'
import { aGuest, anOffice, asPerson, aUser, stranger } from '#tests/support/builders.ts'

const OFFICE = anOffice()
const ACTORS = { person: asPerson(aUser(OFFICE)), guest: aGuest(OFFICE), stranger: stranger() }

test('share of the queue: one for each user and each guest; strangers have one together', () => {
  const { person, guest } = ACTORS
  expect(ownerOf(person)).toEqual({ owner: person.userId })
  expect(ownerOf(guest)).toEqual({ owner: guest.signerId })
  expect(ownerOf(ACTORS.stranger)).toEqual({})
})

test('reads: a guest who asks for many is refused, another guest and a user are served', async () => {
  const memory = createMemory()
  const gate = Promise.withResolvers<void>()
  const read = (actor: Actor) => readInTurn({ memory }, actor, () => gate.promise)
  const many = Array.from({ length: HEAVY_READS.ofOneOwner ?? 0 }, () => read(ACTORS.guest))
  await expect(read(ACTORS.guest)).rejects.toMatchObject({ code: 'too-many-attempts' })
  const others = [read(aGuest(OFFICE)), read(ACTORS.person)]
  gate.resolve()
  await Promise.all([...many, ...others])
})
