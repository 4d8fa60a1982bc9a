import { expect, test } from 'vitest'
import { AuditAction } from '#server/domain/audit/event.ts'
import { AuditTopic, actionsAbout } from '#server/domain/audit/topic.ts'

test('topic: every action has exactly one', () => {
  const covered = AuditTopic.options.flatMap(actionsAbout)
  expect(covered.toSorted()).toEqual(AuditAction.options.toSorted())
})

test('signing is told from the documents and from the sessions of people', () => {
  expect(actionsAbout('signing')).toContain('signing-session.opened')
  expect(actionsAbout('access')).toContain('session.refused')
  expect(actionsAbout('documents')).toContain('document.downloaded')
})
