import pg from 'pg'

/** One connection, for as long as `use` takes. */
export async function withClient(
  url: string,
  use: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await use(client).finally(() => client.end())
}
