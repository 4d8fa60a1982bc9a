import { type Kysely, sql } from 'kysely'
import type { DialectName } from './columns.ts'

/** Positions that each log has. */
const ROOM = sql.lit(2 ** 40)

/**
 * An append on PostgreSQL, as one statement: for each event, in this order, locks the open log of its office, gives it the next
 * position, hashes it with that, stores it, and counts its figure. A log that was closed meanwhile is left for the next one.
 *
 * An event is an object with the canonical text before and behind its number (`head`, `tail`), the values of its columns, and
 * its `figure` with its `day`, or null.
 *
 * Must be volatile: each statement of a volatile function sees what was committed before that statement. A stable one, or one
 * statement without a function, would read the last position as it was before the wait for the lock.
 *
 * The caller's rights are enough: those on the tables. SQLite, which has one writer, needs no function.
 *
 * @see https://www.postgresql.org/docs/current/xfunc-volatility.html
 */
export async function createAppendAuditEvents(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`create or replace function append_audit_events(events jsonb)
  returns table (place bigint, hash text)
  language plpgsql volatile security invoker as $$
  declare
    event jsonb;
    of_office text;
    open_log bigint;
    entry bytea;
  begin
    for event in select value from jsonb_array_elements(events) loop
      if open_log is null or of_office is distinct from event->>'office_id' then
        of_office := event->>'office_id';
        loop
          select number into open_log from logs
            where closed_at is null and (office_id = of_office or office_id is null)
            order by office_id nulls last limit 1;
          if not found then raise exception 'the installation has no open log'; end if;
          -- The name of the lock is that of the releases before this function.
          perform pg_advisory_xact_lock(hashtextextended('audit ' || open_log, 0));
          -- Another transaction may have closed it while this one waited.
          select coalesce((select max(seq) from audit_events
              where seq >= open_log * ${ROOM} and seq < (open_log + 1) * ${ROOM}), open_log * ${ROOM} - 1)
            into place from logs where number = open_log and closed_at is null;
          exit when found;
        end loop;
      end if;

      place := place + 1;
      entry := convert_to((event->>'head') || (place - open_log * ${ROOM}) || (event->>'tail'), 'UTF8');
      hash := encode(sha256('\\x00'::bytea || entry), 'hex');
      insert into audit_events (seq, office_id, at, actor, action, subject_kind, subject_id, canonical, leaf_hash)
        values (place, of_office, (event->>'at')::bigint, event->>'actor', event->>'action',
          event->>'subject_kind', event->>'subject_id', entry, hash);
      if of_office is not null and event->>'figure' is not null then
        insert into daily_figures (office_id, figure, day, count)
          values (of_office, event->>'figure', (event->>'day')::bigint, 1)
          on conflict (office_id, figure, day) do update set count = daily_figures.count + 1;
      end if;
      return next;
    end loop;
  end $$`.execute(db)
}
