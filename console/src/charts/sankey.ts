import { SankeyChart } from 'echarts/charts';
import { use as register } from 'echarts/core';

register([SankeyChart]);

export { init } from './echarts';
