import { startPostgresServer } from '#tests/support/postgres-server.ts'
import { startSwift } from '#tests/support/swift-server.ts'
import { withClient } from '#tests/support/with-client.ts'

/*
 * A program: what several machines share, a PostgreSQL with an empty database and an S3 store. Prints the variables by which
 * they find both as a line of JSON, and ends with its input.
 */
const [postgres, swift] = [await startPostgresServer(), await startSwift()]
await withClient(`${postgres.url}postgres`, (client) => client.query('create database fleet'))
const variables = {
  DATABASE_URL: `${postgres.url}fleet`,
  ...swift.server.access,
  ...swift.server.variables(await swift.server.newPlace()),
}
process.stdout.write(`${JSON.stringify(variables)}\n`)
process.stdin.resume().once('end', async () => {
  await Promise.all([postgres.stop(), swift.stop()])
  process.exit()
})
