import { sql, type Sql } from '../../platform/clickhouse/sql.js';
import { unsigned } from '../../platform/clickhouse/values.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { type Definition } from '../definition/definition.js';
import { membersSql } from '../definition/members.sql.js';
import { chunkSize } from '../../kernel/memberships/member-bits.js';
import { type Membership } from '../../kernel/memberships/members.sql.js';

export const writeMembersSql = (definition: Definition, membership: Membership, scope: CalculationScope): Sql => sql`
  INSERT INTO cohort_members (project_id, cohort_id, version, actor)
  SELECT ${unsigned(scope.project.id)}, ${unsigned(membership.id)}, ${unsigned(membership.version)}, members.actor
  FROM (${membersSql(definition, scope)}) AS members`;

/**
 * Selects the written members as chunks of bits, in hexadecimal digits, so that few rows tell of many persons. Words of 64 bits
 * are written with their lowest byte first, so the lowest bit of the first byte is the first person of the chunk.
 */
export const writtenChunksSql = (projectId: number, { id, version }: Membership): Sql => {
  const [size, word] = [unsigned(chunkSize), unsigned(64)];
  return sql`
    SELECT chunk, arrayStringConcat(arrayMap(w -> hex(reinterpretAsFixedString(w)), words)) AS bits
    FROM (
      SELECT chunk, groupArrayInsertAt(toUInt64(0), 16)(bits, toUInt32(word)) AS words
      FROM (
        SELECT intDiv(actor, ${size}) AS chunk, intDiv(actor % ${size}, ${word}) AS word,
          groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(actor % ${word}))) AS bits
        FROM cohort_members
        WHERE project_id = ${unsigned(projectId)} AND cohort_id = ${unsigned(id)} AND version = ${unsigned(version)} AND actor > 0
        GROUP BY chunk, word)
      GROUP BY chunk)`;
};
