import { expect, test } from 'vitest'
import { loggedPath } from '#server/web/logged-path.ts'

test.each([
  ['/calendar/s3cret.ics', '/calendar/…'],
  ['/Calendar/s3cret', '/calendar/…'],
  ['/calendar/a/b', '/calendar/…'],
  ['/calendar', '/calendar'],
  ['/dashboard/profile/calendar', '/dashboard/profile/calendar'],
])('path of a request: %s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged)
})
