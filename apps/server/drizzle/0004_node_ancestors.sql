-- Keeps node_ancestors: each node with itself and everything above it.
create function node_key_path(key text) returns text[] language sql immutable parallel safe as $$
  select array_agg(array_to_string(parts[1:depth], ':'))
  from (select string_to_array(key, ':') as parts) as split, generate_series(1, cardinality(parts)) as depth
$$;
--> statement-breakpoint
create function keep_node_ancestors() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from node_ancestors using new_nodes, old_nodes
      where new_nodes.id = old_nodes.id and new_nodes.key <> old_nodes.key and node_ancestors.node_id = new_nodes.id;
    insert into node_ancestors (ancestor_id, node_id)
      select above.id, new_nodes.id
      from new_nodes
      join old_nodes on old_nodes.id = new_nodes.id and old_nodes.key <> new_nodes.key
      cross join lateral unnest(node_key_path(new_nodes.key)) as path (key)
      join nodes as above on above.key = path.key;
  else
    insert into node_ancestors (ancestor_id, node_id)
      select above.id, new_nodes.id
      from new_nodes
      cross join lateral unnest(node_key_path(new_nodes.key)) as path (key)
      join nodes as above on above.key = path.key;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger nodes_inserted after insert on nodes referencing new table as new_nodes
  for each statement execute function keep_node_ancestors();
--> statement-breakpoint
create trigger nodes_moved after update on nodes referencing old table as old_nodes new table as new_nodes
  for each statement execute function keep_node_ancestors();
