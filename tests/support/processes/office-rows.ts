import path from 'node:path'
import pg from 'pg'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'

/** The rows of an office, whatever its database; statements name their values with `?`. */
export type OfficeRows = {
  all<T>(statement: string, ...values: unknown[]): Promise<T[]>
  /** Moves the time of some rows. */
  change(statement: string, ...values: unknown[]): Promise<void>
  /** What the database itself finds wrong with its file. */
  faults(): Promise<string[]>
}

/** Opens the database for as long as `work` takes: no process may have it open when it is copied. */
export type WithRows = <T>(work: (rows: OfficeRows) => Promise<T>) => Promise<T>

export const sqliteRows =
  (dataFolder: string): WithRows =>
  async (work) => {
    const rows = officeDatabase(dataFolder)
    try {
      return await work({
        all: async (statement, ...values) => rows.all(statement, ...values),
        change: async (statement, ...values) => void rows.change(statement, ...values),
        async faults() {
          const whole = rows.all<{ integrity_check: string }>('pragma integrity_check')
          return [
            ...whole.map((row) => row.integrity_check).filter((found) => found !== 'ok'),
            ...rows
              .all('pragma foreign_key_check')
              .map((row) => `no parent: ${JSON.stringify(row)}`),
          ]
        },
      })
    } finally {
      rows.close()
    }
  }

/** Times and counts are 64-bit integers, which the driver returns as text. */
const NUMBERS = { getTypeParser: numbersOf }

function numbersOf(id: number, format?: string) {
  if (id === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text')
}

const postgresRows =
  (url: string): WithRows =>
  async (work) => {
    const client = new pg.Client({ connectionString: url, types: NUMBERS as pg.CustomTypesConfig })
    await client.connect()
    const ask = async (statement: string, values: unknown[]) => {
      let count = 0
      return await client.query(
        statement.replace(/\?/g, () => `$${++count}`),
        values,
      )
    }
    try {
      return await work({
        all: async (statement, ...values) => (await ask(statement, values)).rows,
        change: async (statement, ...values) => void (await ask(statement, values)),
        faults: async () => [],
      })
    } finally {
      await client.end()
    }
  }

export const withRowsOf = ({ dataFolder, databaseUrl }: OfficePlace): WithRows =>
  databaseUrl === undefined ? sqliteRows(dataFolder) : postgresRows(databaseUrl)

/** Where an office keeps its files and rows. */
export type OfficePlace = {
  dataFolder: string
  /** Absent for the SQLite file of the folder. */
  databaseUrl?: string
  /** The variables of the store of its files; absent for the folder. */
  store?: Record<string, string>
}

/** The environment in which servers and commands find it. */
export const environmentOf = ({
  dataFolder,
  databaseUrl,
  store,
}: OfficePlace): Record<string, string> => ({
  ...store,
  DATA_DIR: path.resolve(dataFolder),
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})
