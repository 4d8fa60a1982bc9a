import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Programs that judge our work independently, and the Debian package that brings each. */
export const JUDGES = {
  pdfsig: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdftocairo: 'poppler-utils',
  pdffonts: 'poppler-utils',
  qpdf: 'qpdf',
  mutool: 'mupdf-tools',
  gs: 'ghostscript',
  certutil: 'libnss3-tools',
  pk12util: 'libnss3-tools',
  oathtool: 'oathtool',
  openssl: 'openssl',
  'softhsm2-util': 'softhsm2',
  'pkcs11-tool': 'opensc',
  unzip: 'unzip',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  'swift-proxy-server': 'swift-proxy',
  age: 'age',
  'age-keygen': 'age',
  tar: 'tar',
  nginx: 'nginx-light',
  caddy: 'caddy',
  'systemd-analyze': 'systemd',
  'firefox-esr': 'firefox-esr',
  java: 'default-jre-headless',
  'preflight.jar': 'libpdfbox2-java',
  'javax.activation.jar': 'libactivation-java',
  'jaxb-api.jar': 'libjaxb-api-java',
} as const
export type Judge = keyof typeof JUDGES

/** Where Debian puts the libraries of Java programs. */
export const JAVA_LIBRARIES = '/usr/share/java'

/** The full path of a program or Java library, or undefined. */
export function findProgram(name: string): string | undefined {
  if (name.endsWith('.jar')) {
    const library = path.join(JAVA_LIBRARIES, name)
    return existsSync(library) ? library : undefined
  }
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => path.join(folder, name)).find(isExecutable)
}

/** Whether this run may change the machine: `--no-install` says no. */
export type Installing = { mayInstall: boolean }

/**
 * Installs the missing programs if this machine allows it, and prints their names first.
 *
 * @returns a sentence with the programs still missing and their packages; undefined if there are none
 */
export function prepareJudges(
  judges: readonly Judge[],
  { mayInstall }: Installing,
  find: typeof findProgram = findProgram,
): string | undefined {
  const missing = judges.filter((program) => !find(program))
  if (missing.length > 0 && mayInstall) installDebian(packagesOf(missing))
  const still = missing.filter((program) => !find(program))
  return still.length === 0 ? undefined : sentenceOf(still)
}

const packagesOf = (judges: readonly Judge[]) => [...new Set(judges.map((one) => JUDGES[one]))]

function sentenceOf(judges: readonly Judge[]): string {
  const programs = judges.map((program) => `${program} (Debian package ${JUDGES[program]})`)
  return `These programs, which judge our work, are missing: ${programs.join(', ')}.
Install them with: apt-get install ${packagesOf(judges).join(' ')}`
}

const MEMORY = '/dev/shm'
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * A folder in memory for data of the tests, if there is room: a database that flushes at each commit then waits for
 * no disk. Programs may be run from it.
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

/** Prints the packages, then installs them if there is apt-get and we are root; else does nothing. */
export function installDebian(packages: readonly string[]): void {
  const apt = findProgram('apt-get')
  if (!apt || process.getuid?.() !== 0) return
  console.log(`Installing with apt-get (--no-install leaves them): ${packages.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, stdio: 'inherit', timeout: 900_000 } as const
  spawnSync(apt, ['update', '-qq'], options)
  spawnSync(apt, ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
