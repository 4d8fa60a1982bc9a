import { expect, test } from 'vitest'
import { manifestName } from '#server/cli/backups/manifest-name.ts'
import { BackupId } from '#server/domain/backups/backup-header.ts'
import { parseInstant } from '#server/domain/time.ts'

const HIGH = BackupId.parse('ffffffff-0000-4000-8000-000000000000')
const LOW = BackupId.parse('00000000-0000-4000-8000-000000000000')

test('manifest names sort by time, also within one second', () => {
  const earlier = manifestName(parseInstant('2026-11-20T15:05:00.001Z'), HIGH)
  const later = manifestName(parseInstant('2026-11-20T15:05:00.999Z'), LOW)
  expect(earlier).toBe('20261120T150500.001Z-ffffffff.manifest')
  expect([later, earlier].toSorted()).toEqual([earlier, later])
})
