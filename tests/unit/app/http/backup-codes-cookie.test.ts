import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  backupCodesCookie,
  clearBackupCodesCookie,
  readBackupCodesCookie,
} from '#app/http/cookies/backup-codes-cookie.ts'
import { createVault } from '#server/adapters/vault.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'
import { anOffice, asPerson, aUser } from '#tests/support/builders.ts'
import { testSealingKeys } from '#tests/support/keys/sealing-keys.ts'

const vault = createVault(testSealingKeys())
const person = asPerson(aUser(anOffice()))
const codes = ['7K2M-9QXT', '3FHW-PZ5D']

function contextOf(actor: Person): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(systemContext, { vault } as System)
  context.set(actorContext, actor)
  return context
}

function shown(line: string, actor = person) {
  const [cookie = ''] = line.split(';', 1)
  const request = new Request('http://localhost/', { headers: { cookie } })
  return readBackupCodesCookie(request, contextOf(actor))
}

test('new backup codes: are shown to the session that made them, and are not in clear', () => {
  const line = backupCodesCookie(contextOf(person), codes)
  expect(shown(line)).toEqual(codes)
  expect(line).toMatch(/Max-Age=600\b/)
  for (const code of codes) expect(line).not.toContain(code)
})

test('new backup codes: are not shown in another session, nor without their cookie', () => {
  const line = backupCodesCookie(contextOf(person), codes)
  const other = { ...person, sessionId: 'other' as Person['sessionId'] }
  expect(shown(line, other)).toBeUndefined()
  for (const text of ['a=1', '__Host-backup-codes=1.AAAA', clearBackupCodesCookie()])
    expect(shown(text)).toBeUndefined()
})
