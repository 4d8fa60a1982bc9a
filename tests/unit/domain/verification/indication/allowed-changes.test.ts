import { expect, test } from 'vitest'
import type { CertificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import {
  allowedChanges,
  docMdpOf,
  fieldMdpOf,
  isAllowed,
  isLaterCertification,
  type Permissions,
} from '#server/domain/verification/allowed-changes.ts'
import type { Change } from '#server/domain/verification/report.ts'

type Level = CertificationLevel | undefined

const permissions = (locks: readonly Level[], certified?: CertificationLevel, isOwn = true) =>
  ({
    dictionary: { locks: locks.map((level) => ({ level })), references: [] },
    certification: certified && { level: certified, isOwn },
  }) as unknown as Permissions

test.each<[readonly Level[], Level, Level]>([
  [[], undefined, undefined],
  [[undefined], undefined, undefined],
  [[], 2, 2],
  [[3, 1, 2], undefined, 1],
  [[3], 1, 1],
  [[1], 3, 1],
  [[undefined], 2, 2],
])('locks %j and a certification %j allow what %j allows', (locks, certified, allowed) => {
  expect(allowedChanges(permissions(locks, certified))).toBe(allowed)
})

test('a level allows its own changes and lesser ones; without a level all are allowed', () => {
  const levels = ['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS', 'OTHER'] as const
  const allowedBy = (allowed: Level) => levels.filter((level) => isAllowed(level, allowed))
  expect(allowedBy(1)).toEqual(['NONE', 'LTA_UPDATES'])
  expect(allowedBy(2)).toEqual(['NONE', 'LTA_UPDATES', 'FORM_FILLING'])
  expect(allowedBy(3)).toEqual(['NONE', 'LTA_UPDATES', 'FORM_FILLING', 'ANNOTATIONS'])
  expect(allowedBy(undefined)).toEqual(levels)
})

test('a certification is said of the signature that made it', () => {
  expect(docMdpOf(permissions([], 2), 'FORM_FILLING')).toEqual({ level: 2, respected: true })
  expect(docMdpOf(permissions([], 1), 'FORM_FILLING')).toEqual({ level: 1, respected: false })
  expect(docMdpOf(permissions([], 2, false), 'FORM_FILLING')).toBeNull()
  expect(docMdpOf(permissions([2]), 'FORM_FILLING')).toBeNull()
})

test('locked fields: each lock once, respected unless a change breaks one', () => {
  const lock = (action: string, ...fields: string[]) => ({ action, fields, level: undefined })
  const locks = [lock('Include', 'A', 'B'), lock('Include', 'A', 'B'), lock('Exclude', 'A', 'B')]
  const locking = { dictionary: { locks, references: [] } } as unknown as Permissions
  const changes = (...broken: boolean[]) =>
    broken.map((breaksLock) => ({ breaksLock })) as unknown as Change[]
  const found = (respected: boolean) => [
    { action: 'Include', fields: ['A', 'B'], respected },
    { action: 'Exclude', fields: ['A', 'B'], respected },
  ]
  expect(fieldMdpOf(locking, [])).toEqual(found(true))
  expect(fieldMdpOf(locking, changes(false))).toEqual(found(true))
  expect(fieldMdpOf(locking, changes(false, true))).toEqual(found(false))
  expect(fieldMdpOf(permissions([]), changes(true))).toEqual([])
})

test('a second certification is a later one', () => {
  const certifying = (certified?: CertificationLevel, isOwn?: boolean) => {
    const { dictionary, certification } = permissions([], certified, isOwn)
    const references = [{ method: 'DocMDP', level: 2 }]
    return { dictionary: { ...dictionary, references }, certification } as unknown as Permissions
  }
  expect(isLaterCertification(certifying(2, false))).toBe(true)
  expect(isLaterCertification(certifying())).toBe(true)
  expect(isLaterCertification(certifying(2, true))).toBe(false)
  expect(isLaterCertification(permissions([], 2, false))).toBe(false)
})
