import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PEOPLE_FILE } from '#tests/support/office/people-file.ts'
import type { DemoUser } from './demo-server.ts'
import { fillFolder } from './fill-folder.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Starts the production server for real use, on an office whose administrator opened the link of the installation. */
export async function startOffice(
  environment: Record<string, string>,
): Promise<{ server: ServerProcess; users: DemoUser[] }> {
  const filling = 'tests/support/office/fill-started-office.ts'
  const server = await startServer('start', environment, {
    fill: (folder) => fillFolder(filling, { ...environment, DATA_DIR: folder }),
  })
  const users = JSON.parse(readFileSync(path.join(server.dataFolder, PEOPLE_FILE), 'utf8'))
  return { server, users }
}
