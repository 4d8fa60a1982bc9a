import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { PEOPLE_FILE } from './people-file.ts'
import { fillStartedOffice } from './started-office.ts'

/* A program that fills the empty installation of DATA_DIR, and describes its people in a file there. */
const config = readConfig('start')
const { system, close } = await compose(config)
const { described } = await fillStartedOffice(system, path.join(config.dataFolder, 'people'))
writeFileSync(path.join(config.dataFolder, PEOPLE_FILE), JSON.stringify(described))
await close()
