import { expect, test } from 'vitest'
import { sourceOf, sourcesIn } from './sources.ts'

/** Written into files of reports, which no browser does. */
const ON_THE_SERVER_ALONE = ['server/words/reports/report-values.ts']

/** The rooms whose modules are in the first visit to the dashboard. */
const SHARED = ['app', 'server/words', 'server/domain/text']
  .flatMap(sourcesIn)
  .filter((file) => !ON_THE_SERVER_ALONE.includes(file))

/** A browser on an old machine takes a third of a second for the first formatter of dates. */
test('formatters: modules that browsers load make none before one is needed', () => {
  const AT_ONCE = /^(?:export )?const \w+(?:: [^=]+)? = new Intl\./m
  const making = SHARED.filter((file) => AT_ONCE.test(sourceOf(file)))
  expect(making).toEqual([])
})
