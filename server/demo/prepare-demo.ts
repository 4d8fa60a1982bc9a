import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DEMO_CONSTANCIA_PATH, DEMO_TIMESTAMP_PATH } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type DemoFiles, makeDemoFiles } from './demo-files.ts'
import { describeDemo, welcomeTo } from './describe-demo.ts'
import { type DemoServices, directServices } from './direct-services.ts'
import { makeGuestLink } from './make-guest-link.ts'
import { type DemoPerson, PEOPLE } from './people.ts'
import { seedChecklists } from './seed-checklists.ts'
import { seedDocuments } from './seed-documents.ts'
import { seedNumbers } from './seed-numbers.ts'
import { seedObligations } from './seed-obligations.ts'
import { type DemoOffice, seedOffice } from './seed-office.ts'
import { seedProvider } from './seed-providers.ts'
import { seedSessions } from './seed-sessions.ts'
import { seedYubikeys } from './seed-yubikeys.ts'
import { beginYear, findYearEnd, holdersIn, peopleOf } from './year/open-year.ts'
import { planYear } from './year/plan-year.ts'
import { seedYear } from './year/seed-year.ts'
import { LEFT, STAFF } from './year/staff.ts'
import { systemAt } from './year/year-system.ts'

const timestampAddress = ({ publicOrigin }: Config) => `${publicOrigin}${DEMO_TIMESTAMP_PATH}`
const constanciaAddress = ({ publicOrigin }: Config) => `${publicOrigin}${DEMO_CONSTANCIA_PATH}`

const folderOf = (config: Config) => path.join(config.dataFolder, 'demo')

/** The authority and the e.firmas of the demo; they must exist before the system reads its anchors. */
export async function prepareDemoFiles(config: Config, now: Instant): Promise<DemoFiles> {
  const folder = folderOf(config)
  if (config.demoOffice === 'year') beginYear(folder, now)
  const end = findYearEnd(folder)
  return await makeDemoFiles(folder, now, end === undefined ? [] : holdersIn(end))
}

/**
 * Fills the demo office on the first start, and writes `demo.json` for programs.
 *
 * @returns what people are told, es-MX
 */
export async function prepareDemo(
  served: System,
  config: Config,
  files: DemoFiles,
): Promise<string> {
  const services = directServices(files.services)
  const system = { ...served, ...services(served) }
  const { office, users, people } = await makeOffice(system, config, files, services)
  await seedDocuments(system, files, users)
  await seedNumbers(system, users)
  await seedChecklists(system, users)
  await seedSessions(system, files, users)
  await seedYubikeys(system, users)
  await seedObligations(system, users)
  await seedProvider(system, office, 'timestamp', timestampAddress(config))
  await seedProvider(system, office, 'constancia', constanciaAddress(config))
  const link = await makeGuestLink(system, users)
  const description = describeDemo(config, files, people, link)
  const target = path.join(folderOf(config), 'demo.json')
  writeFileSync(`${target}.tmp`, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${target}.tmp`, target)
  return welcomeTo(description, target)
}

/** The office, after its year if it has one, and who can sign in. */
async function makeOffice(
  system: System,
  config: Config,
  files: DemoFiles,
  services: DemoServices,
): Promise<DemoOffice & { people: readonly DemoPerson[] }> {
  const end = findYearEnd(folderOf(config))
  if (end === undefined) return { ...(await seedOffice(system, files, PEOPLE)), people: PEOPLE }
  const year = planYear(end)
  const past = systemAt(system, services, year.begin)
  const made = await seedOffice(past, files, peopleOf(end))
  await seedProvider(past, made.office, 'timestamp', timestampAddress(config))
  await seedProvider(past, made.office, 'constancia', constanciaAddress(config))
  await seedYear(system, files, made.users, year, services)
  return { ...made, people: [...PEOPLE, ...STAFF.filter(({ slug }) => slug !== LEFT.slug)] }
}
