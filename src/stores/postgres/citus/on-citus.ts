let isFound = false;

/** Whether Citus has the tables of projects on its nodes. Known once PostgreSQL is open, and the same as long as the process runs. */
export const isOnCitus = (): boolean => isFound;

export const workOnCitus = (isOn: boolean): void => {
  isFound = isOn;
};
