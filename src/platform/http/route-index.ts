import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, Router } from 'express';

/** Of a layer of Express, what the index reads. A middleware has no route. */
interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
}

/** A router of Express does not declare its layers. */
type Stack = { stack: Layer[] };

/** The routes by the segments of their paths. */
interface Branch {
  readonly literals: Map<string, Branch>;
  parameter: Branch | null;
  readonly routes: number[];
}

const newBranch = (): Branch => ({ literals: new Map(), parameter: null, routes: [] });

/** Segments as Express compares them: without regard to case, and with or without a slash at the end. */
const segmentsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split('/')
    .slice(1, path.endsWith('/') ? -1 : undefined);

const isPlain = (path: unknown): path is string => typeof path === 'string' && !/[*{}()[\]\\?+!]/.test(path);

/** Of a route for all methods, Express has the method `_all`. */
const answersOptions = ({ route }: Layer): boolean => route?.methods._all === true || route?.methods.options === true;

/** Finds the few routes whose segments fit a path. Express then matches these as always, in the order of their registration. */
class RouteIndex {
  private readonly root = newBranch();
  /** Routes whose paths have other patterns than parameters: each request tries them. */
  private readonly others: number[] = [];
  private readonly routers = new Map<string, Router>();

  constructor(private readonly layers: readonly Layer[]) {
    for (const [at, { route }] of layers.entries()) {
      if (isPlain(route?.path)) this.branchOf(route.path).routes.push(at);
      else this.others.push(at);
    }
  }

  /** Null if no route fits. An empty router would leave the request to the next turn of the event loop. */
  routerFor({ method, path }: Request): Router | null {
    const found = [...this.others];
    this.collect(this.root, segmentsOf(path), 0, found);
    // A router answers OPTIONS itself if it has a route for the path, even if none of them is for OPTIONS.
    const fitting = method === 'OPTIONS' ? found.filter((at) => answersOptions(this.layers[at] as Layer)) : found;
    if (fitting.length === 0) return null;
    const key = fitting.sort((a, b) => a - b).join();
    const known = this.routers.get(key);
    if (known) return known;
    const router = Router();
    (router as unknown as Stack).stack.push(...fitting.map((at) => this.layers[at] as Layer));
    this.routers.set(key, router);
    return router;
  }

  private branchOf(path: string): Branch {
    let branch = this.root;
    for (const segment of segmentsOf(path)) {
      let next = segment.includes(':') ? branch.parameter : branch.literals.get(segment);
      if (!next) {
        next = newBranch();
        if (segment.includes(':')) branch.parameter = next;
        else branch.literals.set(segment, next);
      }
      branch = next;
    }
    return branch;
  }

  private collect(branch: Branch, segments: readonly string[], depth: number, found: number[]): void {
    const segment = segments[depth];
    if (segment === undefined) {
      found.push(...branch.routes);
      return;
    }
    const literal = branch.literals.get(segment);
    if (literal) this.collect(literal, segments, depth + 1, found);
    if (branch.parameter) this.collect(branch.parameter, segments, depth + 1, found);
  }
}

/**
 * Express compares each path with the pattern of each route in turn, which for hundreds of routes takes a sixth of the processor
 * time of a small request. Call it when all routes are registered.
 */
export const indexRoutes = (app: NestExpressApplication): void => {
  const { router } = app.getHttpAdapter().getInstance() as unknown as { readonly router: Stack & Router };
  const layers = router.stack.splice(0);
  let run: Layer[] = [];
  const endRun = (): void => {
    if (run.length === 0) return;
    const index = new RouteIndex(run);
    router.use((request, response, next) => {
      const fitting = index.routerFor(request);
      if (fitting) fitting(request, response, next);
      else next();
    });
    run = [];
  };
  for (const layer of layers) {
    if (layer.route) run.push(layer);
    else {
      endRun();
      router.stack.push(layer);
    }
  }
  endRun();
};
