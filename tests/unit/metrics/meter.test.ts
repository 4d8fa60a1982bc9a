import { expect, test } from 'vitest'
import { milliseconds, minutes } from '#server/domain/time.ts'
import { measuredWork } from '#server/metrics/measured-work.ts'
import { createMeter } from '#server/metrics/prometheus-meter.ts'

const state = { waitingEvents: 3, figures: { outboxAge: minutes(2), unsignedEvents: 7 } }

test('meter: what it was told, by method, route and status, job and outcome, task, query', async () => {
  const meter = createMeter()
  const route = '/dashboard/documents/:id'
  meter.answered({ method: 'GET', route, status: 200, took: milliseconds(30) })
  meter.answered({ method: 'GET', route: undefined, status: 404, took: milliseconds(1) })
  meter.ran('archive-waiting', milliseconds(700), 'failed')
  for (const task of ['verify', 'verify', 'verify']) meter.began(task)
  meter.worked('verify', milliseconds(90))
  meter.shed()
  meter.queried('select documents', milliseconds(2))
  const { contentType, text } = await meter.read(state)
  expect(contentType).toContain('text/plain')
  for (const line of [
    `rubrica_http_request_seconds_count{method="GET",route="${route}",status="200"} 1`,
    'rubrica_http_request_seconds_count{method="GET",route="none",status="404"} 1',
    'rubrica_job_seconds_sum{job="archive-waiting",outcome="failed"} 0.7',
    'rubrica_file_work_seconds_count{task="verify"} 1',
    'rubrica_file_work_in_progress{task="verify"} 2',
    'rubrica_shed_requests_total 1',
    'rubrica_query_seconds_count{query="select documents"} 1',
    'rubrica_outbox_age_seconds 120',
    'rubrica_log_unsigned_events 7',
    'rubrica_log_waiting_events 3',
    'rubrica_figures_unread_total 0',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
})

test('meter: while the database does not answer its figures are no numbers, and that is counted', async () => {
  const meter = createMeter()
  await meter.read(state)
  const lines = (await meter.read({ ...state, figures: undefined })).text.split('\n')
  expect(lines).toContain('rubrica_outbox_age_seconds Nan')
  expect(lines).toContain('rubrica_log_unsigned_events Nan')
  expect(lines).toContain('rubrica_log_waiting_events 3')
  expect(lines).toContain('rubrica_figures_unread_total 1')
})

test('measured work: a task is measured when it ends, well or not, and answers as before', async () => {
  const told: string[] = []
  const work = {
    places: 2,
    isCrowded: () => false,
    verify: async (name: string) => `verified ${name}`,
    draw: () => Promise.reject(new Error('not drawable')),
  }
  const measured = measuredWork(work, {
    began: (task) => void told.push(`${task} begins`),
    worked: (task) => void told.push(task),
  })
  expect([measured.places, measured.isCrowded()]).toEqual([2, false])
  expect(await measured.verify('poder.pdf')).toBe('verified poder.pdf')
  await expect(measured.draw()).rejects.toThrow('not drawable')
  expect(told).toEqual(['verify begins', 'verify', 'draw begins', 'draw'])
  expect(measuredWork(work, undefined)).toBe(work)
})
