/**
 * A planner hint for lists of ids. Ids are positive, so the condition is always true, but it makes PostgreSQL expect one row
 * and look it up by its key. Without the hint, a statement that was prepared while the project was small keeps a plan that
 * reads the whole project, until the next ANALYZE.
 */
export const plannedByKey = (id: string): string => `sign(${id}) = 1`;

/**
 * The project, which is $1, as a value that the planner does not know. Statistics from before a project had persons let the planner
 * expect no rows of it; any index that begins with the project then looks as good as the key, and reads the whole project for
 * each id. The first persons of a large import took milliseconds each.
 */
export const projectOfStatement = '(SELECT $1::integer)';
