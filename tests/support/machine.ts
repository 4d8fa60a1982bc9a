import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Programs that judge our work independently, and the Debian package that brings each. */
export const JUDGES = {
  pdfsig: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdffonts: 'poppler-utils',
  qpdf: 'qpdf',
  mutool: 'mupdf-tools',
  certutil: 'libnss3-tools',
  pk12util: 'libnss3-tools',
  oathtool: 'oathtool',
  openssl: 'openssl',
  'softhsm2-util': 'softhsm2',
  'pkcs11-tool': 'opensc',
  unzip: 'unzip',
} as const
export type Judge = keyof typeof JUDGES

/** The full path of a program, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => path.join(folder, name)).find(isExecutable)
}

/** Installs the judges that are missing, where this machine lets us. */
export async function installJudges(): Promise<void> {
  const missing = Object.entries(JUDGES).filter(([program]) => !findProgram(program))
  const packages = [...new Set(missing.map(([, debian]) => debian))]
  if (packages.length > 0 && !installDebian(packages))
    console.error(
      `Faltan ${missing.map(([program]) => program).join(', ')}: instálelos con «apt-get install ${packages.join(' ')}».`,
    )
}

/** The Chromium of this machine, else Playwright's own (undefined), else Debian's. */
export async function installBrowser(): Promise<string | undefined> {
  const found =
    process.env.CHROMIUM_PATH ?? findProgram('chromium') ?? findProgram('chromium-browser')
  if (found) return found
  const playwright = path.resolve(import.meta.dirname, '../../node_modules/.bin/playwright')
  const own = spawnSync(playwright, ['install', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  if (own.status === 0) return undefined
  installDebian(['chromium'])
  return findProgram('chromium')
}

const MEMORY = '/dev/shm'
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * A folder in memory for what lives no longer than the tests, where there is room for it: a database that is flushed
 * at each commit waits there for no disk. Programs may be run from it.
 */
export function folderInMemory(): string | undefined {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , kind, options = ''] =
      mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
    const isFit = kind === 'tmpfs' && !options.split(',').includes('noexec')
    return isFit && bavail * bsize >= ROOM_BYTES ? MEMORY : undefined
  } catch {
    return undefined
  }
}

function installDebian(packages: string[]): boolean {
  const apt = findProgram('apt-get')
  if (!apt || process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, stdio: 'inherit', timeout: 900_000 } as const
  spawnSync(apt, ['update', '-qq'], options)
  return (
    spawnSync(apt, ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
      .status === 0
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
