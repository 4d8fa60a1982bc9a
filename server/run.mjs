/*
 * The launcher behind every npm script. Plain Node 20 syntax, because it runs on the machine's own Node: it
 * installs when the lockfile changed, builds when the sources changed, and starts the pinned Node 24 that is among
 * the packages.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const isWindows = process.platform === 'win32'
const [command, ...args] = process.argv.slice(2)
const isHelpWanted = args.includes('--help') || args.includes('-h')

/**
 * Required by this launcher only; the rest runs on the Node that it installs. Must match `engines` in
 * package.json.
 */
const OLDEST_NODE = 20
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(`Se necesita Node ${OLDEST_NODE} o posterior; este es ${process.version}.`)

/** Cache of compiled code, beside the packages that npm installed. */
const COMPILE_CACHE = path.join(root, 'node_modules/.cache/rubrica')

const COMMANDS = {
  demo: () => serve('demo'),
  start: () => serve('start'),
  dev: async () => {
    mustHaveNoOptions()
    install()
    const { runAndRestart } = await import('./dev/restart.mjs')
    const start = () => startNode(['server/main.ts', 'dev'], { NODE_ENV: 'development' }, DEV_FLAGS)
    // It stops on a signal, together with its server.
    whenNpmIsGone(() => process.kill(process.pid, 'SIGTERM'))
    return runAndRestart(root, start)
  },
  rubrica: () => {
    install()
    if (FREQUENT.includes(args[0]) && isPinnedNode() && bundle()) return runBundle()
    return runNode(['server/cli/rubrica.ts', ...args], { NODE_ENV: 'production' })
  },
  test: () => {
    install()
    return runNode(['tests/run.ts', ...args], { NODE_ENV: 'test' })
  },
  check: () => {
    install()
    return runNode(['tests/check.ts', ...args], { NODE_ENV: 'test' })
  },
  bench: () => {
    install()
    if (!isHelpWanted) {
      build()
      bundle()
    }
    return runNode(['--expose-gc', 'tests/bench/run.ts', ...args], { NODE_ENV: 'production' })
  },
  corpus: () => {
    install()
    return runNode(['tests/corpus/run.ts', ...args], { NODE_ENV: 'production' })
  },
  fuzz: () => {
    install()
    return runNode(['tests/fuzz/run.ts', ...args], { NODE_ENV: 'test' })
  },
  oracle: () => {
    install()
    return runNode(['tests/oracle/run.ts', ...args], { NODE_ENV: 'test' })
  },
  mutate: () => {
    install()
    return runNode(['tests/mutate/run.ts', ...args], { NODE_ENV: 'test' })
  },
  campaign: () => {
    install()
    if (!isHelpWanted) build()
    return runNode(['tests/campaign/run.ts', ...args], { NODE_ENV: 'test' })
  },
  pictures: () => {
    install()
    if (!isHelpWanted) build()
    return runNode(['tests/pictures/run.ts', ...args], { NODE_ENV: 'production' })
  },
  build: () => {
    install()
    build()
    return bundle() ? 0 : 1
  },
}

/** Selects the development builds of React and React Router. */
const DEV_FLAGS = ['--conditions=development']

/** The commands in server/cli/frequent.ts, and the path of their bundle. */
const FREQUENT = ['sign', 'verify']
const BUNDLE = path.join(root, 'build/cli/frequent.cjs')

const SERVERS = `npm run demo   la notaría de demostración
npm start      el servidor de una notaría
npm run dev    la demostración, desde el código fuente, mientras se cambia

No llevan opciones. Se configuran con variables de entorno, como PORT y DATA_DIR: vea README.md,
docs/operations.md y .env.example.`

/** A server that ignored an option would listen on another port, or use another folder, than the user meant. */
function mustHaveNoOptions() {
  if (args.length === 0) return
  if (!isHelpWanted) fail(`${args[0]} no se reconoce.\n\n${SERVERS}`, 2)
  process.stdout.write(`${SERVERS}\n`)
  process.exit()
}

function serve(mode) {
  mustHaveNoOptions()
  install()
  build()
  const memory = [
    '--max-old-space-size=512',
    '--max-semi-space-size=16',
    '--heap-growing-percent=100',
  ]
  return runNode(['server/main.ts', mode], { NODE_ENV: 'production' }, memory)
}

/** Installs the lockfile's packages, unless they are installed. */
function install() {
  const mark = path.join(root, 'node_modules/.rubrica-installed')
  const wanted = fingerprint(['package-lock.json', '.npmrc'])
  if (readMark(mark) === wanted) return
  say('Instalando dependencias (solo la primera vez)…')
  // npm passes its settings as npm_config_*: an inherited --omit or --global would change the installation.
  const npm = isWindows ? 'npm.cmd' : 'npm'
  const flags = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const done = spawnSync(npm, flags, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: isWindows,
  })
  if (done.status !== 0) fail('No se pudieron instalar las dependencias (npm ci).')
  writeFileSync(mark, wanted)
}

/** Builds the pages, unless their sources are unchanged. */
function build() {
  const mark = path.join(root, 'build/.rubrica-built')
  const wanted = fingerprint([
    'app',
    'public',
    'server/app.ts',
    'server/domain/asn1',
    'server/domain/x509',
    'server/domain/pkcs',
    'server/domain/efirma',
    'server/words',
    'package-lock.json',
    'vite.config.ts',
    'react-router.config.ts',
    'postcss.config.js',
  ])
  if (readMark(mark) === wanted) return
  say('Construyendo la aplicación…')
  const done = spawnSync(node(), ['node_modules/@react-router/dev/bin.cjs', 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', process.env.RUBRICA_VERBOSE ? 'inherit' : 'ignore', 'inherit'],
  })
  if (done.status !== 0) fail('No se pudo construir la aplicación.')
  const compressed = spawnSync(node(), ['server/web/compress-assets.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (compressed.status !== 0) fail('No se pudieron comprimir los archivos de la aplicación.')
  mkdirSync(path.dirname(mark), { recursive: true })
  writeFileSync(mark, wanted)
}

/**
 * Bundles the frequent commands, unless their sources are unchanged.
 *
 * @returns whether there is a bundle of the current sources
 */
function bundle() {
  if (isBundleOfTheseSources()) return true
  const folder = path.join(path.dirname(BUNDLE), `${process.pid}.tmp`)
  try {
    // Check first: in a read-only checkout the sources are run directly.
    mkdirSync(folder, { recursive: true })
    removeHalfBundles()
    const flags = ['build', '--config', 'vite.cli.config.ts', '--outDir', folder]
    const done = spawnSync(node(), ['node_modules/vite/bin/vite.js', ...flags], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', process.env.RUBRICA_VERBOSE ? 'inherit' : 'ignore'],
    })
    // Atomic: a process that runs the old bundle has read it whole, and no process finds a partial one.
    if (done.status === 0) renameSync(path.join(folder, path.basename(BUNDLE)), BUNDLE)
    rmSync(folder, { recursive: true, force: true })
  } catch {
    return false
  }
  return isBundleOfTheseSources()
}

/** Removes the folders of interrupted builds. */
function removeHalfBundles() {
  for (const name of readdirSync(path.dirname(BUNDLE))) {
    const [, maker] = /^(\d+)\.tmp$/.exec(name) ?? []
    if (maker && !isRunning(Number(maker)))
      rmSync(path.join(path.dirname(BUNDLE), name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error.code === 'EPERM'
  }
}

/** The bundle's first line contains the fingerprint of its sources. */
function isBundleOfTheseSources() {
  const digest = (file) =>
    createHash('sha256')
      .update(readFileSync(path.join(root, file)))
      .digest('hex')
  try {
    const [first] = readFileSync(BUNDLE, 'utf8').split('\n', 1)
    const sources = Object.entries(JSON.parse(first.slice('//'.length)))
    return sources.every(([file, sha256]) => digest(file) === sha256)
  } catch {
    return false
  }
}

/** Runs the bundle in this process: starting another one would take longer than handling a small file. */
function runBundle() {
  process.env.INIT_CWD ??= process.cwd()
  process.env.NODE_ENV = 'production'
  process.chdir(root)
  module.enableCompileCache(COMPILE_CACHE)
  const load = module.createRequire(import.meta.url)
  return load(BUNDLE).runFrequent(args)
}

function isPinnedNode() {
  return realpathSync(node()) === realpathSync(process.execPath)
}

/** The pinned Node; on systems without a published one, the system's own if it is new enough. */
function node() {
  // Not `.bin/node`: the npm of Debian makes no such link.
  const [system, file] = isWindows ? ['win', 'node.exe'] : [process.platform, 'node']
  const pinned = path.join(root, `node_modules/node-${system}-${process.arch}/bin`, file)
  if (existsSync(pinned)) return pinned
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 24 && !(major === 22 && minor >= 22))
    fail(`En este sistema se necesita Node 22.22 (o 24 y posteriores); este es ${process.version}.`)
  return process.execPath
}

function runNode(script, environment, flags) {
  const child = startNode(script, environment, flags)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenNpmIsGone(() => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
  })
}

/**
 * Calls `stop` when npm is gone. npm passes no signal on to the shell between it and this process, so a supervisor
 * that ends npm would leave the server behind, listening.
 */
function whenNpmIsGone(stop) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    // Once: a second signal would cut off the requests that the server still answers.
    clearInterval(watch)
    stop()
  }, 1_000)
  watch.unref()
}

function startNode(script, environment, flags = []) {
  const bin = path.join(root, 'node_modules/.bin')
  return spawn(node(), ['--disable-warning=ExperimentalWarning', ...flags, ...script], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...environment,
      // The user's folder: file arguments are relative to it.
      INIT_CWD: process.env.INIT_CWD ?? process.cwd(),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    },
  })
}

/** SHA-256 over names and contents of files and folders, in a fixed order. */
function fingerprint(places) {
  const hash = createHash('sha256').update(process.platform).update(process.arch)
  const add = (relative) => {
    const full = path.join(root, relative)
    if (!existsSync(full)) return
    try {
      for (const name of readdirSync(full).sort()) add(path.join(relative, name))
    } catch (error) {
      if (error.code !== 'ENOTDIR') throw error
      hash.update(relative).update('\0').update(readFileSync(full)).update('\0')
    }
  }
  for (const place of places) add(place)
  return hash.digest('hex')
}

function readMark(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

function fail(text, status = 1) {
  say(text)
  process.exit(status)
}

if (!Object.hasOwn(COMMANDS, command ?? '')) fail(`Comandos: ${Object.keys(COMMANDS).join(', ')}`)
process.exitCode = await COMMANDS[command]()
