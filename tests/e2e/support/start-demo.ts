import { startDemoServer } from '#tests/support/processes/demo-server.ts'

/** One demo office for all stories; what they find of it they read from DEMO_JSON. */
export default async function startDemo(): Promise<() => Promise<void>> {
  const { demo, dataFolder, stop } = await startDemoServer()
  process.env.DEMO_JSON = JSON.stringify(demo)
  process.env.DEMO_DATA = dataFolder
  return stop
}
