import { expect, test } from 'vitest'
import { type LogFault, LogMismatch } from '#server/domain/audit/log-fault.ts'

test('log that does not hold: the error has the fault, and says it', () => {
  const fault: LogFault = { kind: 'changed', seq: 7 }
  const error = new LogMismatch(fault)
  expect(error.fault).toEqual(fault)
  expect(`${error}`).toBe('LogMismatch: the log does not hold: {"kind":"changed","seq":7}')
})
